// Whether the parts of a configuration agree: ages with paces, modes with sections, files with each other; and no
// secrets.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ageLimitsOf } from '../../../src/bot/settings/derived.ts';
import { writtenParameters } from '../../../src/bot/settings/parameters.ts';
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

describe('the page is only for this machine, or protected', () => {
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
    ['behindProxy: true, origin: "https://bot.example.com/page?a=1"', 'web.origin: This is not an address such as'],
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

describe('times follow from the lanes and the lag bound', () => {
  const slow = changed(PAPER, 'public: { requestsPerSecond: 9 }', 'public: { requestsPerSecond: 0.4 }').replace(
    'private: { requestsPerSecond: 9 }',
    'private: { requestsPerSecond: 0.4 }',
  );

  test('on a fast lane they are the useful minimum', async () => {
    const { trader, lanes, watchdog } = await load(PAPER);
    expect(trader.polling).toMatchObject({ bookMs: 1_000, openOrdersMs: 2_000, walletMs: 5_000, probeMs: 1_000 });
    expect(trader.ageLimits).toMatchObject({ bookMs: 5_000, openOrdersMs: 15_000, reconciledMs: 60_000 });
    expect(trader.assumptions).toMatchObject({ resolutionDeadlineMs: 60_000, maxClockUncertaintyMs: 1_500 });
    expect(lanes.private.maxInFlight).toBe(4);
    expect(watchdog).toMatchObject({ lookEveryMs: 500, termGraceMs: 2_000, gentleMs: 10_000, requestsPerSecond: 9 });
  });

  test('on a slow lane they are multiples of the time between two requests', async () => {
    const { trader, lanes } = await load(changed(slow, 'readLagBoundMs: 1000', 'readLagBoundMs: 120000'));
    expect(trader.polling).toMatchObject({ bookMs: 5_000, openOrdersMs: 15_000, walletMs: 30_000, probeMs: 5_000 });
    expect(trader.ageLimits).toMatchObject({ bookMs: 15_000, openOrdersMs: 60_000, reconciledMs: 300_000 });
    expect(trader.assumptions.resolutionDeadlineMs).toBe(300_000);
    expect(lanes.private.maxInFlight).toBe(1);
  });

  test('many symbols give each list of the account more time', () => {
    const lane = { requestsPerSecond: 0.4 };
    const advanced = { timeoutMs: 10_000, giveUpMs: 10_800_000 };
    const ages = (symbols: number) =>
      ageLimitsOf({ lanes: { public: lane, private: lane }, advanced, symbols }).openOrdersMs;
    expect([1, 2, 8, 20].map(ages)).toEqual([60_000, 60_000, 120_358, 291_786]);
  });

  test('books that the public lane cannot read in time are refused, with the remedies', async () => {
    const lines = await refusal([write('a.yaml', `${slow}advanced: { bookMaxAgeMs: 5000 }\n`)]);
    expect(lines).toContainEqual(
      expect.stringContaining(
        'advanced.bookMaxAgeMs: 5000 ms cannot be kept: each book is read every 5000 ms. ' +
          'Set it to at least 8000, quote fewer symbols, or raise lanes.public.requestsPerSecond',
      ),
    );
    expect((await load(`${slow}advanced: { bookMaxAgeMs: 8000 }\n`)).trader.ageLimits.bookMs).toBe(8_000);
  });
});

describe('modes keep apart', () => {
  const market = '{ symbol: BTC/INR, startPrice: 1 }';

  test.each([
    ['paper', 'keys: { environment: A }', 'keys: are not allowed here'],
    ['paper', 'venue: { baseUrl: "https://a.example" }', 'venue.baseUrl: is not allowed here'],
    [
      'live',
      `paper: { openingBalances: { INR: 1 }, crowd: { kind: synthetic, markets: [${market}] } }`,
      'paper: is not allowed here',
    ],
  ])('in mode %s %s is refused', async (mode, section, sentence) => {
    const text = changed(mode === 'paper' ? PAPER : LIVE, `mode: ${mode}`, `mode: ${mode}\n${section}`);
    expect((await refusal([write('a.yaml', text)])).join('\n')).toContain(sentence);
  });

  test.each([
    ['  environment: QUOTEKEEPER ', '  # environment: ', 'keys: missing'],
    ['https://api.exchange.example ', 'http://api.exchange.example ', 'venue.baseUrl: This is not an address'],
    ['apiKeyHeader: X-EXCHANGE-APIKEY', 'signature: { header: "" }', '"" is not the name of an HTTP header'],
  ])('a live configuration with %s → %s is refused', async (from, to, sentence) => {
    expect((await refusal([write('a.yaml', changed(LIVE, from, to))])).join('\n')).toContain(sentence);
  });
});

describe('several files', () => {
  /** The runs of paper.yaml in two files that share everything else. */
  function halves(): [string, string] {
    const [head = '', btc = '', eth = ''] = PAPER.split(/^ {2}(?=- symbol: (?:BTC|ETH)\/INR\n {4}instrument)/m);
    return [write('a.yaml', `${head}  ${btc}`), write('b.yaml', `${head}  ${eth}`)];
  }

  test('later files may contain only runs', async () => {
    const [a, b] = halves();
    const text = readFileSync(b, 'utf8');
    writeFileSync(b, text.slice(text.indexOf('runs:')));
    const { runs } = (await loadSettings([a, b])).trader;
    expect(runs.map((run) => run.instrument.symbol)).toEqual(['BTC/INR', 'ETH/INR']);
  });

  test('a contradiction names both files', async () => {
    const [a, b] = halves();
    writeFileSync(b, changed(readFileSync(b, 'utf8'), 'recvWindowMs: 2500', 'recvWindowMs: 3000'));
    const at = PAPER.slice(0, PAPER.indexOf('recvWindowMs: 2500')).split('\n').length;
    expect(await refusal([a, b])).toEqual([
      `config/b.yaml:${at}: assumptions.recvWindowMs: ` +
        `3000 contradicts 2500 in config/a.yaml:${at}; only runs may differ between files.`,
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

describe('secrets are never shown', () => {
  test.each([
    ['a key where its variable should be named', 'environment: QUOTEKEEPER ', 'environment: canary-0123456789abcdef '],
    [
      "a key of the watchdog's where its variable should be named",
      '  mode: required\n',
      '  mode: required\n  keys: { environment: canary-0123456789abcdef }\n',
    ],
    ['a key in a wrong place', 'environment: QUOTEKEEPER ', 'environment: { key: canary-0123456789abcdef } '],
    ['a password in an address', 'https://api.exchange.example ', 'https://me:canary@api.exchange.example '],
    ['broken YAML around a key', 'environment: QUOTEKEEPER ', 'environment: "canary-0123456789abcdef '],
  ])('%s', async (_what, from, to) => {
    const text = (await refusal([write('a.yaml', changed(LIVE, from, to))])).join('\n');
    expect(text).toMatch(/^config\/a\.yaml:\d+: /);
    expect(text).not.toContain('canary');
  });
});

describe('limits over a time span', () => {
  test('a live run without a limit on the day’s loss is refused', async () => {
    const lines = await refusal([write('a.yaml', changed(LIVE, 'maxDayLoss: 300 ', 'maxSessionLoss: 300 '))]);
    expect(lines).toContainEqual(
      expect.stringContaining(
        'runs[0].limits.maxDayLoss: missing; live mode needs the loss in INR since midnight UTC that halts BTC/INR.',
      ),
    );
  });

  test.each([
    ['maxPerDay: 200000', 'maxPerDay: 299', 'messageRate.maxPerDay: 299 is less than maxPerMinute (300)'],
    ['maxPerMinute: 300', 'maxPerMinute: 0', 'messageRate.maxPerMinute'],
    ['collarBps: 500', 'repeatedFills: 0', 'limits.repeatedFills'],
    ['maxDayLoss: 300000', 'maxDayLoss: 0', 'limits.maxDayLoss'],
  ])('%s → %s is refused', async (from, to, words) => {
    const lines = await refusal([write('a.yaml', changed(PAPER, from, to))]);
    expect(lines).toContainEqual(expect.stringContaining(words));
  });
});

test('every parameter of a run is offered with its unit and bounds, set or not', async () => {
  const [run] = (await load(PAPER)).trader.runs;
  const offered = run === undefined ? [] : writtenParameters(run.strategy, run.instrument);
  const paths = offered.map(({ path }) => path);
  expect(paths).toEqual([...new Set(paths)]);
  expect(Object.keys(run?.parameters ?? {}).filter((path) => !paths.includes(path))).toEqual([]);
  const said = (path: string) => {
    const { unit, expects, options } = offered.find((each) => each.path === path) ?? {};
    return [unit, expects, options?.join()];
  };
  expect(said('params.halfSpreadBps')).toEqual(['bps', 'a number > 0 and ≤ 9999; 100 if left out', '']);
  expect(said('limits.maxDayLoss')).toEqual(['INR', 'an amount > 0, such as 0.25', '']);
  expect(said('limits.maxInventoryBase')).toEqual(['BTC', 'an amount > 0, such as 0.25', '']);
  expect(said('costs.tdsRatio')[0]).toBe('');
  expect(said('quoting.pingPong')).toEqual(['', 'true or false; false if left out', 'true,false']);
});
