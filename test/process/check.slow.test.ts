// `check` as a person runs it: what it says of keys, permissions, trading rules and fees, and how it ends.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createCommandLine } from '../../src/bot/command-line.ts';
import { endProjects, newProject, type Project } from './bot-process.ts';
import { freePort } from './free-port.ts';
import { proxiedExchange } from './proxied-exchange.ts';
import { endProxies } from './recording-proxy.ts';
import { PROJECT_ROOT } from './start-program.ts';

let server: Server | null = null;

afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  server = null;
  endProxies();
  await endProjects();
});

const KEYS = { QUOTEKEEPER_KEY: 'canary-key-0123', QUOTEKEEPER_SECRET: 'canary-secret-4567' };

const reportSchema = z.object({
  findings: z.array(z.object({ what: z.string(), verdict: z.string(), detail: z.string() })),
});
type Report = z.output<typeof reportSchema>;

const detailOf = ({ findings }: Report, what: string): string =>
  findings
    .filter((finding) => finding.what === what)
    .map(({ verdict, detail }) => `${verdict}: ${detail}`)
    .join('\n');

describe('against the paper exchange', () => {
  test('asks what the configuration uses, never writes, and prints a line for each permission', async () => {
    const project = await newProject();
    const { proxy } = await proxiedExchange(project);
    const { code, out } = await project.command('check');
    expect(code).toBe(0);
    for (const permission of ['wallet', 'orders', 'trades of BTC/INR']) {
      expect(out).toMatch(new RegExp(`^ok +key: ${permission} +It may read`, 'm'));
    }
    expect(out).toMatch(/^ok +clock +The exchange's clock is \d+ ms (?:behind|ahead of) ours, known to \d+ ms\.$/m);
    expect(out).toMatch(/^ok +BTC\/INR rules +All \d+ levels fit tick size 1 and lot size 0\.00001\.$/m);
    expect(proxy.asked.filter((each) => !each.startsWith('GET '))).toEqual([]);
  });
});

type Reply = readonly [status: number, body: unknown];

const PLAIN: Readonly<Record<string, unknown>> = {
  '/api/v1/public/exchange/symbols': ['BTC/INR'],
  '/api/v1/public/market/orderbook': { bids: [['5000000', '0.01']], asks: [['5050000', '0.02']] },
};

/**
 * A live configuration whose exchange answers what a test says, and an empty list to everything else. `refusals`: so
 * many requests to a path are first refused for the rate.
 */
async function scripted(
  replies: Readonly<Record<string, Reply>>,
  refusals: Readonly<Record<string, number>> = {},
): Promise<{ project: Project; asked: string[] }> {
  const asked: string[] = [];
  const port = await freePort();
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    asked.push(`${request.method} ${pathname}`);
    const refused = asked.filter((each) => each.endsWith(` ${pathname}`)).length <= (refusals[pathname] ?? 0);
    const [status, body] = refused ? error(429, -1003) : (replies[pathname] ?? [200, PLAIN[pathname] ?? []]);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', () => resolve()));
  const project = await newProject();
  const example = readFileSync(path.join(PROJECT_ROOT, 'config/live.example.yaml'), 'utf8');
  const text = example
    .replaceAll('# ←', '#')
    .replace('https://api.exchange.example ', `http://127.0.0.1:${port} `)
    .replaceAll('requestsPerSecond: 0.4', 'requestsPerSecond: 50')
    .replaceAll('state/live', path.join(project.folder, 'state'))
    .concat(`web: { port: ${project.pagePort} }\n`);
  writeFileSync(path.join(project.folder, 'config/live.yaml'), text);
  return { project, asked };
}

/** In this process: the tests above start the program as a person does. */
async function checked(project: Project) {
  const args = ['check', path.join(project.folder, 'config/live.yaml'), '--json'];
  const [out, err]: [string[], string[]] = [[], []];
  const io = {
    out: (text: string) => void out.push(text),
    err: (text: string) => void err.push(text),
    ...{ isTerminal: false, environment: KEYS },
  };
  const code = await createCommandLine(io).run(args);
  expect([...out, ...err].join('\n')).not.toMatch(/canary|signature=/);
  return { code, report: reportSchema.parse(JSON.parse(out.join('\n'))) };
}

const error = (status: number, code: number): Reply => [status, { code, msg: 'No.' }];

describe('a key that is refused as a whole', () => {
  test.each([
    [-1001, 403, "is X-EXCHANGE-APIKEY (venue.apiKeyHeader) the header's real name?"],
    [-1015, 403, 'add that one to the whitelist of the key'],
    [-1022, 403, 'the secret does not belong to this key'],
    [-2004, 403, 'make a new key'],
    [-2015, 403, 'look whether it is copied whole'],
  ])('%i: says what to do, asks nothing private again, ends with 78', async (code, status, words) => {
    const { project, asked } = await scripted({ '/api/v1/wallet': error(status, code) });
    const { code: exit, report } = await checked(project);
    expect(exit).toBe(78);
    expect(detailOf(report, 'key')).toMatch(new RegExp(`^wrong: ${code}: `));
    expect(detailOf(report, 'key')).toContain(words);
    expect(asked.filter((each) => /wallet|spot|crypto|fiat|ebes/.test(each))).toEqual(['GET /api/v1/wallet']);
  });
});

describe('a permission that is missing', () => {
  test.each([
    ['wallet', '/api/v1/wallet'],
    ['orders', '/api/v1/spot/orders/open'],
    ['trades', '/api/v1/spot/trades'],
  ])('%s: by name, and the others are still asked', async (permission, route) => {
    const { project, asked } = await scripted({ [route]: error(403, -2003) });
    const { code, report } = await checked(project);
    expect(code).toBe(78);
    expect(detailOf(report, `key: ${permission}`)).toContain(
      `The key lacks the permission for ${permission}: grant it`,
    );
    expect(asked.filter((each) => /wallet|spot/.test(each))).toHaveLength(3);
  });
});

describe('an exchange that refuses for the rate, which the running bot may have used up', () => {
  const WALLET = '/api/v1/wallet';

  test('is asked again: a key is not found wrong for it', async () => {
    const { project, asked } = await scripted({}, { [WALLET]: 2 });
    const { code, report } = await checked(project);
    expect([code, detailOf(report, 'key: wallet')]).toEqual([0, 'good: It may read the wallet, which is empty.']);
    // The orders of now are worked out afterward, from reads of their own.
    expect(asked.filter((each) => each.includes(WALLET)).length).toBeGreaterThanOrEqual(3);
  });

  test('for good: says so, after four requests', async () => {
    const { project, asked } = await scripted({}, { [WALLET]: 9 });
    const { code, report } = await checked(project);
    expect([code, detailOf(report, 'key: wallet')]).toEqual([78, expect.stringMatching(/^wrong: It answers HTTP 429/)]);
    expect(asked.filter((each) => each.includes(WALLET))).toHaveLength(4);
  });
});

describe('what does not fit', () => {
  const row = (more: object) => ({
    symbol: 'BTC/INR',
    id: 7,
    orderId: '1-7-1',
    price: '5000000',
    qty: '0.01',
    quoteQty: '50000',
    commission: '236',
    commissionAsset: 'INR',
    tds: '500',
    time: 1_700_000_000_000,
    isBuyer: false,
    isMaker: true,
    ...more,
  });
  const book = (price: string, quantity: string): Reply => [
    200,
    { bids: [[price, quantity]], asks: [['5050000', '0.02']] },
  ];

  const BOOK = '/api/v1/public/market/orderbook';
  const SYMBOLS = '/api/v1/public/exchange/symbols';
  const traded = (more: object): Record<string, Reply> => ({ '/api/v1/spot/trades': [200, [row(more)]] });
  const FEES = 'fees of BTC/INR';

  test.each<[string, Record<string, Reply>, string, string, number]>([
    ['a price off the tick', { [BOOK]: book('4999999.5', '0.01') }, 'BTC/INR rules', 'wrong: A price of 4999999.5', 78],
    [
      'a quantity off the lot',
      { [BOOK]: book('5000000', '0.000001') },
      'BTC/INR rules',
      'wrong: A quantity of 0.000001',
      78,
    ],
    [
      'a symbol that is not listed',
      { [SYMBOLS]: [200, ['ETH/INR']] },
      'BTC/INR',
      'wrong: The exchange does not list it.',
      78,
    ],
    ['a dearer trade', traded({ commission: '300' }), FEES, 'wrong: Trade 7 cost 0.6 %', 78],
    ['more tax', traded({ tds: '2500' }), FEES, 'wrong: Trade 7 had 5 % withheld as tax', 78],
    ['a cheaper trade', traded({ commission: '200' }), FEES, 'note: ', 0],
    ['a trade as configured', traded({}), FEES, 'good: 1 of 1 own trades could be compared', 0],
    ['an exchange that is closed', { [SYMBOLS]: error(503, -1125) }, 'exchange', 'wrong: It answers HTTP 503', 69],
  ])('%s', async (_what, replies, what, detail, exit) => {
    const { project } = await scripted(replies);
    const { code, report } = await checked(project);
    expect(detailOf(report, what)).toContain(detail);
    expect(code).toBe(exit);
  });
});
