// `probe` as a person runs it, against a paper exchange of its own process: it finds each profile's truth, by reads
// alone.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createExchangeClient } from '../../src/client/exchange-client.ts';
import { createGotTransport } from '../../src/client/transport/got-transport.ts';
import { Secret } from '../../src/client/wire/secret.ts';
import { decimal } from '../../src/domain/decimal.ts';
import { realClock } from '../../src/ports/clock.ts';
import { DIALECT } from '../../src/venue/dialect.ts';
import { type Changes, endProjects, newProject, type Project, pause, until } from './bot-process.ts';
import { proxiedExchange } from './proxied-exchange.ts';
import { endProxies, type RecordingProxy } from './recording-proxy.ts';
import { PROJECT_ROOT } from './start-program.ts';

afterEach(async () => {
  endProxies();
  await endProjects();
});

/** Books of more than fifty levels a side, and people who trade. */
const deep = (takersPerSecond: number): Changes =>
  Object.fromEntries(
    [0, 1].map((market) => [
      `paper.crowd.markets.${market}.flow`,
      { takersPerSecond, minimumLevels: 60, limitOrdersPerSecond: 4, toleranceBps: 300 },
    ]),
  );
const SPEC: Changes = {
  ...deep(4),
  'paper.profile': 'spec',
  'paper.rateLimits': { public: 10, private: 10 },
  'lanes.public.requestsPerSecond': 9,
  'lanes.private.requestsPerSecond': 9,
};
// Fewer people here: a shift is proved by two pages of 50 trades that share a row, and these are asked slowly.
const FIELD: Changes = {
  ...deep(2),
  'paper.profile': 'field',
  'paper.rateLimits': { public: 0.4, private: 10 },
  'lanes.public': { requestsPerSecond: 0.4 },
  'lanes.private.requestsPerSecond': 9,
};
/** As fast as ten requests per second allow. */
const FAST = ['--interval', '130'];

/** A project whose exchange runs behind a proxy that remembers every request. */
async function recorded(changes: Changes): Promise<{ project: Project; proxy: RecordingProxy }> {
  const project = await newProject(changes);
  const { proxy } = await proxiedExchange(project, changes);
  return { project, proxy };
}

/** Until there are trades in both markets, for which nobody had to ask within the rate limit. */
const TRADED_MS = 4_000;

const outcomeSchema = z.object({
  requests: z.object({ public: z.number(), private: z.number() }),
  keys: z.boolean(),
  findings: z.array(
    z.object({ id: z.string(), finding: z.string(), value: z.unknown(), confidence: z.string(), evidence: z.string() }),
  ),
});
type Outcome = z.output<typeof outcomeSchema>;

const outcomeOf = (out: string): Outcome => outcomeSchema.parse(JSON.parse(out));

function values({ findings }: Outcome): Readonly<Record<string, unknown>> {
  return Object.fromEntries(findings.map(({ id, value }) => [id, value]));
}

const posts = ({ asked }: RecordingProxy): string[] => asked.filter((each) => !each.startsWith('GET '));

/** The paper account's own keys, as `exchange` made them. */
function clientOf({ stateFolder, exchangeUrl }: Project) {
  const text = readFileSync(path.join(stateFolder, 'paper-keys'), 'utf8');
  const [key = '', secret = ''] = text.match(/(?<=: )\S+/g) ?? [];
  return createExchangeClient({
    settings: {
      baseUrl: exchangeUrl,
      dialect: DIALECT,
      key: new Secret(key),
      secret: new Secret(secret),
      userAgent: 'test',
      deadlineMs: 5_000,
    },
    transport: createGotTransport({ baseUrls: [exchangeUrl] }, realClock),
    clock: realClock,
  });
}

/** Six purchases at whatever is asked, and one sale that waits. */
async function trade(project: Project): Promise<void> {
  const client = clientOf(project);
  const place = async (side: 'buy' | 'sell', price: string): Promise<void> => {
    const order = { symbol: 'BTC/INR', side, price: decimal(price), quantity: decimal('0.00017') };
    const stamp = { timestamp: realClock.now(), recvWindow: 5_000 };
    const { outcome } = await client.perform({ kind: 'create', order, stamp });
    expect(outcome.kind).toBe('accepted');
  };
  for (let count = 0; count < 6; count += 1) await place('buy', '6500000');
  await place('sell', '6900000');
  client.close();
}

describe('against the specified exchange', () => {
  test('it finds what was specified, and what own trades cost', async () => {
    const { project, proxy } = await recorded(SPEC);
    await pause(TRADED_MS);
    await trade(project);
    const before = proxy.asked.length;
    const { code, out, err } = await project.command('probe', '--json', ...FAST);
    expect({ code, err: err.split('\n')[0] }).toEqual({
      code: 0,
      err: expect.stringMatching(/^1\. tickers: HTTP 200/),
    });
    const found = outcomeOf(out);
    expect(values(found)).toMatchObject({
      'time-unit.tickers.time': 'milliseconds as string',
      'time-unit.public-trades.time': 'milliseconds as number',
      'time-shift.public-trades.time': { offsetMs: 0 },
      'time-shift.tickers.time': { offsetMs: 0 },
      'rate-limit.public': { limit: 10, throttled: 0 },
      'rate-limit.private': { limit: 10, throttled: 0 },
      'tick-size.BTC/INR': { step: '1' },
      'lot-size.BTC/INR': { step: '0.00001' },
      'fee-taker.BTC/INR': { ratio: '0.00472', agrees: true },
    });
    const { 'rate-limit.public': limit } = values(found);
    const [low, high] = z.object({ windowMs: z.tuple([z.number(), z.number()]) }).parse(limit).windowMs;
    expect(low).toBeLessThanOrEqual(1_000);
    expect(high).toBeGreaterThanOrEqual(1_000);
    expect(proxy.asked.slice(before).filter((each) => !each.startsWith('GET '))).toEqual([]);
  });

  test('a Ctrl-C keeps what was found', async () => {
    const { project } = await recorded(SPEC);
    await pause(TRADED_MS);
    const probe = project.start(['probe', project.config]);
    await until('three answers', () => probe.err().includes('\n3. '));
    probe.signal('SIGINT');
    const { code, out } = await probe.ended;
    expect(code).toBe(0);
    expect(out).toContain('Not asked (stopped):');
    expect(out).toMatch(/^N4 unit of tickers\.time +milliseconds as string +proved/m);
  });

  test('told to stop twice, while its exchange takes long to end, it ends at once with 130', async () => {
    const project = await newProject(SPEC);
    const probe = project.start(['probe', project.config]);
    await until('two answers', () => probe.err().includes('\n2. '));
    const exchange = project.exchangePid();
    if (exchange === null) throw new Error('The probe started no exchange.');
    process.kill(exchange, 'SIGSTOP');
    probe.signal('SIGINT');
    await pause(3_000);
    probe.signal('SIGINT');
    expect(await probe.ended).toMatchObject({ code: 130, signal: null });
  });
});

describe('against the exchange as it was seen', () => {
  test('it finds every deviation with at most 12 public requests, none of them throttled', async () => {
    const { project, proxy } = await recorded(FIELD);
    await pause(TRADED_MS);
    const { code, out } = await project.command('probe', '--json');
    expect(code).toBe(0);
    const found = outcomeOf(out);
    expect(values(found)).toMatchObject({
      'time-unit.tickers.time': 'seconds as string',
      'time-shift.tickers.time': { offsetMs: 0 },
      'time-shift.public-trades.time': { offsetMs: 19_800_000 },
      'rate-limit.public': { limit: 1, throttled: 0 },
      'tick-size.BTC/INR': { step: '1' },
    });
    const { 'rate-limit.public': limit } = values(found);
    const [low, high] = z.object({ windowMs: z.tuple([z.number(), z.number()]) }).parse(limit).windowMs;
    expect(low).toBeGreaterThan(1_000);
    expect(low).toBeLessThanOrEqual(2_500);
    expect(high).toBeGreaterThanOrEqual(2_500);
    expect(high).toBeLessThan(4_100);
    expect(found.requests.public).toBeLessThanOrEqual(12);
    expect(posts(proxy)).toEqual([]);
    const market = proxy.at.filter((_, index) => proxy.asked[index]?.includes('/public/'));
    expect(market).toHaveLength(found.requests.public);
    expect(Math.min(...market.slice(1).map((at, index) => at - (market[index] ?? 0)))).toBeGreaterThan(2_450);
  });
});

describe('with a live configuration', () => {
  /** The exchange of a project as if it were the real one. */
  function live(project: Project): void {
    const example = readFileSync(path.join(PROJECT_ROOT, 'config/live.example.yaml'), 'utf8');
    const text = example.replace('https://api.exchange.example ', `${project.exchangeUrl} `);
    writeFileSync(path.join(project.folder, 'config/live.yaml'), text);
  }

  test('and no keys it asks the public part, and says what keys would add', async () => {
    const { project, proxy } = await recorded(SPEC);
    live(project);
    const { code, out } = await project.start(['probe', 'config/live.yaml', '--symbols', 'ETH/INR', ...FAST]).ended;
    expect(code).toBe(0);
    expect(out).toContain('No keys are set. With them it also finds the private rate limit');
    expect(out).toMatch(/^Q19 tick size of ETH\/INR +1 +likely/m);
    expect(out).not.toContain('open orders:');
    expect(proxy.asked.some((each) => /wallet|spot|crypto|fiat|ebes/.test(each))).toBe(false);
  });

  test('nobody answers at: 69', async () => {
    const project = await newProject();
    live(project);
    const { code, err } = await project.start(['probe', 'config/live.yaml']).ended;
    expect({ code, err }).toEqual({
      code: 69,
      err: expect.stringContaining('cannot be asked: The connection was refused'),
    });
  });
});
