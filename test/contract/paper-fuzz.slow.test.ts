// Random requests over real sockets, many at a time: every answer is a documented one, no money comes or goes, and the
// exchange goes on answering.
import { afterEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pino } from 'pino';
import { randomStream } from '../../src/crowd/random.ts';
import type { Truth } from '../../src/paper/control/truth.ts';
import { type PaperServer, startPaperServer } from '../../src/paper/server/server.ts';
import { type Quirks, SPEC_QUIRKS } from '../../src/paper/wire/quirks.ts';
import { realClock } from '../../src/ports/clock.ts';
import { codesOf } from '../../src/venue/endpoint-parameters.ts';
import { ENDPOINTS } from '../../src/venue/endpoints.ts';
import { errorCode, LEGACY_STATUSES } from '../../src/venue/error-codes.ts';
import type { EndpointName } from '../../src/venue/requests.ts';
import { ACCOUNTS, API_KEY_HEADER, ENGINE } from './client-paper-market.ts';
import { units } from './client-paper-sums.ts';
import { raw, send } from './paper-connection.ts';
import { poolsOf, RequestSource } from './paper-fuzz-requests.ts';
import { type PipedAnswer, Pipeline } from './paper-pipeline.ts';

/** `FUZZ_SEED=7 FUZZ_BATCHES=5000` looks further; a batch is a hundred requests. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_101);
const BATCHES = Number(process.env.FUZZ_BATCHES ?? 1_000);
const CONNECTIONS = 4;
const PER_CONNECTION = 25;

let server: PaperServer | null = null;
afterEach(() => server?.close());

/** One of these is in force for a batch, beside the specification. */
const MOODS: readonly Partial<Quirks>[] = [
  {},
  {},
  { emptyValues: 'included' },
  { signedValues: 'percent-encoded' },
  { cancelAllContentType: 'required' },
  { openOrdersLagMs: 50, tradesLagMs: 30, walletLagMs: 20, transfersLagMs: 10 },
  { matchingLagMs: 1, recvWindowChecked: 'both' },
  { cancelLagMs: 20, creationsDuringCancel: 'canceled', matchingLagMs: 1 },
  { cancelOfClosed: 'rejected', insufficientFunds: 'code', offStep: 'failure' },
  { tradeListOrder: 'unordered', fromIdPage: 'newest', tradePage: 'oldest', listCap: 3, openOrdersCap: 20 },
  { orderBookCap: 20, tickerTimeUnit: 's', publicTradeOffsetMs: 19_800_000 },
  { legacyPaths: 'both', legacyRateLimit: 'separate', legacyTradeZone: 'UTC' },
  { archiveHolds: 'everything', lockedIncludes: 'trading', rateHeaders: 'never' },
];

/** Below the exchange: what is no proper request has no code, and the status of HTTP that says so. */
const HTTP_STATUSES: readonly number[] = [400, 408, 413, 414, 415, 417, 431];

/** What is wrong with an answer, or `null`. */
function complaintOf(endpoint: EndpointName | null, { status, head, body }: PipedAnswer): string | null {
  if (!head.includes('\r\ndate: ')) return 'it has no date';
  const row = endpoint === null ? null : ENDPOINTS[endpoint];
  if (status === 200)
    return row === null ? null : validateShape(row.answer.safeParse(JSON.parse(withSmallIds(body))).success);
  if (row?.interface === 'legacy')
    return LEGACY_STATUSES.some((each) => each.status === status) ? null : 'a status of none';
  const { code, error }: { code?: number; error?: string } = JSON.parse(body);
  if (code === undefined && error !== undefined && HTTP_STATUSES.includes(status)) return null;
  // A legacy path with a method or in a way that is none of its own.
  if (endpoint === null && code === undefined && error !== undefined) return null;
  const documented = errorCode(Number(code));
  if (documented === undefined) return 'it has no documented code';
  if (code === -4001 || code === -1000 || code === -3000) return 'the exchange broke';
  if (documented.status !== status) return `the code belongs to ${documented.status}`;
  return row === null || codesOf(row).includes(documented.code) ? null : 'the endpoint can’t answer with this code';
}

const validateShape = (isRight: boolean): string | null => (isRight ? null : 'it has not the documented shape');
/** Ids are beyond what a JSON number holds without loss. */
const withSmallIds = (body: string): string => body.replace(/"id":\d+/g, '"id":1');

/** Everything that anybody owns, by asset, in the smallest units. */
function totalsOf({ accounts }: Truth): Record<string, bigint> {
  const totals: Record<string, bigint> = {};
  for (const { balances } of accounts) {
    for (const [asset, row] of Object.entries(balances)) {
      for (const amount of Object.values(row)) totals[asset] = (totals[asset] ?? 0n) + units(amount);
    }
  }
  return totals;
}

const truthOf = async (url: string): Promise<Truth> =>
  JSON.parse((await send(url, { method: 'GET', target: '/paper/truth?others=true&fills=true' })).body);

/** What each account must have by its fills: the opening, what was bought and sold, fees and tax. */
function byFills({ accounts }: Truth, account: string): Record<string, bigint> {
  const totals = Object.fromEntries(
    Object.entries(ACCOUNTS[0]?.balances ?? {}).map(([asset, amount]) => [asset, units(amount.toFixed())]),
  );
  const add = (asset: string, amount: bigint) => {
    totals[asset] = (totals[asset] ?? 0n) + amount;
  };
  for (const fill of accounts.find((each) => each.account === account)?.fills ?? []) {
    const [base = '', quote = ''] = fill.symbol.split('/');
    const sign = fill.isBuyer ? 1n : -1n;
    add(base, sign * units(fill.qty));
    add(quote, -sign * units(fill.quoteQty) - units(fill.tds));
    add(fill.commissionAsset, -units(fill.commission));
  }
  return totals;
}

test(`${BATCHES * CONNECTIONS * PER_CONNECTION} random requests, seed ${SEED}`, async () => {
  server = await startPaperServer({
    settings: {
      ...{ engine: ENGINE, accounts: ACCOUNTS, crowds: [], speedFactor: 1, quirks: SPEC_QUIRKS },
      ...{ rateLimits: { public: [], private: [], legacy: [] }, apiKeyHeader: API_KEY_HEADER, exposeTruth: true },
    },
    ...{ port: 0, host: '127.0.0.1', clock: realClock, log: pino({ level: 'silent' }), stateFile: null },
  });
  const { url, control } = server;
  const pools = poolsOf(SEED);
  const before = await truthOf(url);
  const pipelines = Array.from({ length: CONNECTIONS }, () => new Pipeline(url));
  const seen = new Map<string, number>();

  const batch = async (number: number, mood: Partial<Quirks>): Promise<void> => {
    const quirks = { ...SPEC_QUIRKS, ...mood };
    control({ quirks });
    await Promise.all(
      pipelines.map(async (pipeline, index) => {
        const source = new RequestSource(pools, randomStream(number, `connection-${index}`), realClock.now);
        const requests = Array.from({ length: PER_CONNECTION }, () => source.next(quirks));
        const answers = await pipeline.send(requests.map(({ bytes }) => bytes));
        for (const [at, answer] of answers.entries()) {
          const { endpoint, bytes } = requests[at] ?? { endpoint: null, bytes: Buffer.alloc(0) };
          const complaint = complaintOf(endpoint, answer);
          if (complaint !== null) throw new Error(`${complaint}: ${shown(bytes, answer)}`);
          const name = `${endpoint ?? 'none'} ${answer.status} ${/^\{"code":(-\d+)/.exec(answer.body)?.[1] ?? ''}`;
          seen.set(name, (seen.get(name) ?? 0) + 1);
        }
      }),
    );
    if (number % 10 === 0)
      await malformed(new RequestSource(pools, randomStream(number, 'malformed'), realClock.now), url);
  };
  try {
    await fc.assert(fc.asyncProperty(fc.integer(), fc.constantFrom(...MOODS), batch), {
      ...{ numRuns: BATCHES, seed: SEED, endOnFailure: true },
    });
  } finally {
    for (const pipeline of pipelines) pipeline.close();
  }
  control({ quirks: SPEC_QUIRKS });
  const after = await truthOf(url);
  expect(totalsOf(after)).toEqual(totalsOf(before));
  for (const { account, balances } of after.accounts.slice(0, 2)) {
    const owned = Object.entries(balances).map(([asset, row]) => [
      asset,
      Object.values(row)
        .map(units)
        .reduce((sum, each) => sum + each),
    ]);
    expect([account, Object.fromEntries(owned)]).toEqual([account, byFills(after, account)]);
  }
  expectReached(seen, after);
});

/** What is no HTTP gets an answer that says so, or the end of its connection; it disturbs nobody. */
async function malformed(source: RequestSource, url: string): Promise<void> {
  const { text } = await raw(url, source.malformed(), { forMs: 60, half: true });
  if (text !== '' && !/^HTTP\/1\.1 [2-5]\d\d /.test(text)) throw new Error(`No HTTP came back: ${text.slice(0, 200)}`);
}

function shown(bytes: Buffer, { status, body }: PipedAnswer): string {
  return `${bytes.toString('utf8').slice(0, 900)}\n→ ${status} ${body.slice(0, 300)}`;
}

/** The requests must have come far, or the test says nothing. */
function expectReached(seen: ReadonlyMap<string, number>, { accounts }: Truth): void {
  const reached = [...seen.keys()];
  for (const name of Object.keys(ENDPOINTS)) expect(reached).toContain(`${name} 200 `);
  const codes = new Set(reached.map((name) => name.split(' ')[2]));
  const wanted = [
    '-1404',
    '-1001',
    '-1009',
    '-1015',
    '-1022',
    '-1023',
    '-1102',
    '-1103',
    '-1104',
    '-1105',
    '-1106',
    '-1107',
    '-1108',
    '-1109',
  ];
  for (const code of [
    ...wanted,
    '-1111',
    '-1112',
    '-1113',
    '-1114',
    '-1115',
    '-1121',
    '-1122',
    '-1123',
    '-1124',
    '-2003',
    '-2015',
    '-5014',
  ]) {
    expect([...codes]).toContain(code);
  }
  const fills = accounts.reduce((sum, { fillCount }) => sum + fillCount, 0);
  expect(fills).toBeGreaterThan(BATCHES);
}
