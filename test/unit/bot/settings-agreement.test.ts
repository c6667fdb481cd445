// Whether the parts of a configuration agree: ages with paces, modes with sections, files with each other; and no
// secrets.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { loadSettings } from '../../../src/bot/settings/settings.ts';
import {
  changed,
  enterProject,
  inProject,
  LIVE,
  leaveProject,
  load,
  PAPER,
  refusal,
  write,
} from './settings-project.ts';

beforeEach(() => void enterProject());
afterEach(leaveProject);

describe('the page is for this machine alone, or guarded', () => {
  const of = (web: string): string => `${PAPER}\nweb: { ${web} }\n`;
  const refused = async (web: string): Promise<string> => {
    const [sentence = ''] = await refusal([write('a.yaml', of(web))]);
    return sentence.replace(/^config\/a\.yaml:\d+: /, '');
  };

  test.each(['0.0.0.0', '::', '192.168.1.20', 'my-host', '127.0.0.1.example'])('%s is refused', async (host) => {
    expect(await refused(`host: "${host}", port: 8787`)).toBe(
      `web.host: "${host}" is not this machine alone: add \`origin\`, and \`tls\` or \`behindProxy\` ` +
        '(docs/page.md). Or set it to 127.0.0.1 and forward the port from elsewhere (ssh -L 8787:127.0.0.1:8787).',
    );
  });

  test.each([
    ['behindProxy: true', 'web.behindProxy: wants `origin`'],
    ['origin: "https://bot.example.com"', 'web.origin: is HTTPS, and nothing here speaks it'],
    ['host: 0.0.0.0, tls: { certificate: a.pem, key: b.pem }', 'web.host: "0.0.0.0" is not this machine alone'],
    ['behindProxy: true, origin: "http://bot.example.com"', 'web.origin: This is not an address such as'],
    ['behindProxy: true, origin: "https://bot.example.com/page"', 'web.origin: This is not an address such as'],
  ])('%s is refused', async (web, sentence) => {
    expect(await refused(web)).toContain(sentence);
  });

  test('an origin with files for TLS, or behind a proxy, may listen anywhere', async () => {
    const tls = 'tls: { certificate: tls/page.pem, key: tls/page.key }';
    const { web, projectRoot } = await load(of(`host: 0.0.0.0, origin: "https://bot.example.com:8787", ${tls}`));
    const files = { certificate: `${projectRoot}/tls/page.pem`, key: `${projectRoot}/tls/page.key` };
    expect(web).toMatchObject({ origin: 'https://bot.example.com:8787', tls: files, behindProxy: false });
    const proxied = await load(of('host: 10.0.0.5, origin: "https://bot.example.com/", behindProxy: true'));
    expect(proxied.web).toMatchObject({ origin: 'https://bot.example.com', tls: null });
  });

  test.each(['127.0.0.1', 'localhost', '::1', '127.0.0.2'])('%s is accepted', async (host) => {
    expect((await load(`${PAPER}\nweb: { host: "${host}", port: 8787 }\n`)).web.host).toBe(host);
  });
});

describe('ages that the lanes cannot keep', () => {
  const slow = (text: string): string =>
    changed(
      text,
      'public: { requestsPerSecond: 9, maxInFlight: 4 }',
      'public: { requestsPerSecond: 0.4, maxInFlight: 1 }',
    );

  test('two books at one request per 2.5 s are 5 s apart: the sentence says what to change', async () => {
    const lines = await refusal([write('a.yaml', slow(PAPER))]);
    expect(lines).toContainEqual(
      expect.stringContaining(
        'ageLimits.bookMs: 5000 ms cannot be kept: 2 books at 0.4 public requests per second are read every 5000 ' +
          'ms each. Set it to at least 8000, quote fewer symbols, or raise lanes.public.requestsPerSecond',
      ),
    );
  });

  test('with the age that it asks for it is accepted', async () => {
    const settings = await load(changed(slow(PAPER), 'bookMs: 5000', 'bookMs: 8000'));
    expect(settings.trader.ageLimits.bookMs).toBe(8_000);
  });

  test('public trades that quotes centre on: eight times their interval, or an age that can be kept', async () => {
    const byTrades = changed(PAPER, 'strategy: fixed-spread', 'referenceSource: lastTrade\n    strategy: fixed-spread');
    expect((await load(byTrades)).trader.ageLimits.publicTradesMs).toBe(120_000);
    const tooYoung = changed(byTrades, 'bookMs: 5000', 'bookMs: 5000\n  publicTradesMs: 9000');
    const lines = await refusal([write('a.yaml', tooYoung)]);
    expect(lines).toContainEqual(expect.stringContaining('ageLimits.publicTradesMs: 9000 ms cannot be kept'));
  });

  test('the account is looked at more slowly on a slow private lane', async () => {
    const text = changed(
      PAPER,
      'private: { requestsPerSecond: 9, maxInFlight: 4 }',
      'private: { requestsPerSecond: 0.4, maxInFlight: 1 }',
    );
    const lines = await refusal([write('a.yaml', text)]);
    expect(lines).toContainEqual(expect.stringContaining('ageLimits.openOrdersMs: 15000 ms cannot be kept'));
  });
});

describe('the time for proof', () => {
  test('is twice as long as lists may trail, at least', async () => {
    const lines = await refusal([write('a.yaml', changed(PAPER, 'readLagBoundMs: 1000', 'readLagBoundMs: 40000'))]);
    expect(lines).toContainEqual(
      expect.stringContaining(
        "assumptions.resolutionDeadlineMs: what became of an order can't be proved in 60000 ms while lists may " +
          'trail by 40000 ms (assumptions.readLagBoundMs): symbols would halt for nothing. Set at ' +
          'least 80000.',
      ),
    );
  });
});

describe('modes keep apart', () => {
  test.each([
    [
      'keys in paper mode',
      PAPER,
      'mode: paper',
      'mode: paper\nkeys: { environment: { key: A, secret: B } }',
      'keys: stand here by mistake',
    ],
    [
      'an address in paper mode',
      PAPER,
      'mode: paper',
      'mode: paper\nvenue: { baseUrl: "https://a.example" }',
      'venue.baseUrl: stands here by mistake',
    ],
    [
      'a paper exchange in live mode',
      LIVE,
      'mode: live',
      `mode: live\npaper: { openingBalances: { INR: 1 }, crowd: { kind: synthetic, markets: [{ symbol: BTC/INR, ` +
        'startPrice: 1 }] } }',
      'paper: stands here by mistake',
    ],
    [
      'no keys in live mode',
      LIVE,
      '  environment: { key: QUOTEKEEPER_KEY, secret: QUOTEKEEPER_SECRET }\n',
      '',
      'keys: missing',
    ],
    [
      'plain HTTP to elsewhere',
      LIVE,
      'https://api.exchange.example ',
      'http://api.exchange.example ',
      'venue.baseUrl: This is not an address',
    ],
    [
      'a header without a name',
      LIVE,
      'emptyValues: skip',
      'emptyValues: skip\n    in: header',
      'venue.signature.header: missing',
    ],
  ])('%s is refused', async (_what, text, from, to, sentence) => {
    const lines = await refusal([write('a.yaml', changed(text, from, to))]);
    expect(lines.join('\n')).toContain(sentence);
  });
});

describe('several files', () => {
  /** The runs of paper.yaml in two files that share everything else. */
  function halves(): [string, string] {
    const [head = '', btc = '', eth = ''] = PAPER.split(/^ {2}(?=- symbol: (?:BTC|ETH)\/INR\n {4}instrument)/m);
    return [write('a.yaml', `${head}  ${btc}`), write('b.yaml', `${head}  ${eth}`)];
  }

  test('put their runs one after the other', async () => {
    const settings = await loadSettings(halves());
    expect(settings.trader.runs.map((run) => run.instrument.symbol)).toEqual(['BTC/INR', 'ETH/INR']);
  });

  test('may hold runs alone after the first', async () => {
    const [a, b] = halves();
    const text = readFileSync(b, 'utf8');
    writeFileSync(b, text.slice(text.indexOf('runs:')));
    expect((await loadSettings([a, b])).trader.runs).toHaveLength(2);
  });

  test('a contradiction names both files', async () => {
    const [a, b] = halves();
    writeFileSync(b, changed(readFileSync(b, 'utf8'), 'walletMs: 5000', 'walletMs: 6000'));
    const at = PAPER.slice(0, PAPER.indexOf('walletMs: 5000')).split('\n').length;
    expect(await refusal([a, b])).toEqual([
      `config/b.yaml:${at}: polling.walletMs: ` +
        `6000 contradicts 5000 in config/a.yaml:${at}; only runs may differ between files.`,
    ]);
  });

  test('a mistake in the second is reported there, counted over all runs', async () => {
    const [a, b] = halves();
    writeFileSync(b, changed(readFileSync(b, 'utf8'), 'levels: 2', 'levels: many'));
    expect(await refusal([a, b])).toEqual([
      expect.stringMatching(/^config\/b\.yaml:\d+: runs\[1\]\.params\.levels: "many" is not/),
    ]);
  });

  test('the same run twice is refused with both places', async () => {
    const [a] = halves();
    const b = write('b.yaml', readFileSync(a, 'utf8'));
    const text = (await refusal([a, b])).join('\n');
    expect(text).toContain('config/b.yaml:');
    expect(text).toContain('quoted already by runs[0] (config/a.yaml:');
  });

  test('of different projects are refused', async () => {
    const [a] = halves();
    writeFileSync(inProject('b.yaml'), PAPER);
    mkdirSync(inProject('other'));
    writeFileSync(inProject('other/b.yaml'), PAPER);
    expect((await refusal([a, inProject('other/b.yaml')])).join('\n')).toContain('belong to different folders');
  });
});

describe('nothing of a secret is shown', () => {
  test.each([
    ['a key where its variable should be named', 'key: QUOTEKEEPER_KEY', 'key: canary-0123456789abcdef'],
    [
      "a key of the watchdog's where its variable should be named",
      'watchdog:\n',
      'watchdog:\n  keys: { environment: { key: canary-0123456789abcdef, secret: canary-0123456789abcdef } }\n',
    ],
    ['a secret beside the keys', 'secret: QUOTEKEEPER_SECRET }', 'secret: canary-0123456789abcdef }'],
    [
      'a key in a wrong place',
      '  environment: { key: QUOTEKEEPER_KEY, secret: QUOTEKEEPER_SECRET }',
      '  environment: canary-0123456789abcdef',
    ],
    ['a password in an address', 'https://api.exchange.example ', 'https://me:canary@api.exchange.example '],
    ['broken YAML around a key', 'key: QUOTEKEEPER_KEY,', 'key: "canary-0123456789abcdef,'],
  ])('%s', async (_what, from, to) => {
    const text = (await refusal([write('a.yaml', changed(LIVE, from, to))])).join('\n');
    expect(text).toMatch(/^config\/a\.yaml:\d+: /);
    expect(text).not.toContain('canary');
  });
});

describe('limits that look back', () => {
  test('a live run without a limit on the loss of a day is refused', async () => {
    const lines = await refusal([write('a.yaml', changed(LIVE, '      maxDayLoss: 300\n', ''))]);
    expect(lines).toContainEqual(
      expect.stringContaining(
        'runs[0].limits.maxDayLoss: missing; live mode needs the loss in INR since midnight UTC that halts BTC/INR.',
      ),
    );
  });

  test.each([
    ['maxPerMinute: 300', 'maxPerMinute: 9', 'messageRate.maxPerMinute: 9 is less than maxPerSecond (10)'],
    ['maxPerDay: 200000', 'maxPerDay: 299', 'messageRate.maxPerDay: 299 is less than maxPerMinute (300)'],
    ['maxPerSecond: 10', 'maxPerSecond: 0', 'messageRate.maxPerSecond'],
    ['collarBps: 500', 'repeatedFills: 0', 'limits.repeatedFills'],
    ['maxDayLoss: 300000', 'maxDayLoss: 0', 'limits.maxDayLoss'],
  ])('%s → %s is refused', async (from, to, words) => {
    const lines = await refusal([write('a.yaml', changed(PAPER, from, to))]);
    expect(lines).toContainEqual(expect.stringContaining(words));
  });
});
