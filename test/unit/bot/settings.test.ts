// Configuration files: the resulting settings, and every kind of refusal, with file, line, value and expectation.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { placeholderLines } from '../../../src/bot/settings/located.ts';
import { loadSettings, type Settings } from '../../../src/bot/settings/settings.ts';
import {
  changed,
  enterProject,
  LIVE,
  leaveProject,
  load,
  PAPER,
  paperRefusal,
  refusal,
  TAPE,
  write,
} from './settings-project.ts';

let folder = '';
beforeEach(() => {
  folder = enterProject();
});
afterEach(leaveProject);

describe('the examples', () => {
  test('paper.yaml quotes two symbols with all costs', async () => {
    const settings = await load(PAPER);
    expect(settings.mode).toBe('paper');
    expect(settings.keys).toBeNull();
    expect(settings.venue.baseUrl).toBe('http://127.0.0.1:8788');
    expect(settings.trader.runs.map((run) => [run.instrument.symbol, run.strategy.name])).toEqual([
      ['BTC/INR', 'fixed-spread'],
      ['ETH/INR', 'fixed-spread'],
    ]);
    const [btc] = settings.trader.runs;
    expect(btc?.instrument).toMatchObject({ base: 'BTC', quote: 'INR' });
    // 0.40 % plus 18 % GST; of 1 % withheld, the part that does not come back, or only after nine months at 10 % a
    // year.
    expect(btc?.costs.makerFeeRatio.toFixed()).toBe('0.00472');
    expect(btc?.costs.takerFeeRatio.toFixed()).toBe('0.00472');
    expect(btc?.costs.tdsRatio.toFixed()).toBe('0.01');
    expect(btc?.costs.effectiveTaxRatio.toNumber()).toBeCloseTo(0.01 * (1 - 0.931), 12);
    expect(btc?.taxTreatment).toBe('credit');
    expect(settings.paper?.charges.makerFeeRatio.toFixed()).toBe('0.00472');
    expect(settings.trader.requestsPerSecond).toEqual({ public: 9, private: 9 });
    expect(settings.paper?.rateLimits.private).toEqual([{ requests: 10, perMs: 1000 }]);
  });

  test('paths are relative to the project, not to where the program was started', async () => {
    const settings = await load(PAPER);
    const here = process.cwd();
    expect(settings.stateFolder).toBe(path.join(here, 'state/paper'));
    expect(settings.paper?.stateFile).toBe(path.join(here, 'state/paper/paper-exchange.json'));
    const besides = path.join(folder, 'b.yaml');
    writeFileSync(besides, changed(PAPER, 'state: state/paper', ''));
    const other = await loadSettings([besides]);
    expect(other.stateFolder).toBe(path.join(folder, 'state/paper'));
  });

  test('tape.example.yaml finds its recordings next to it, or on the command line', async () => {
    const crowdOf = (settings: Settings) => settings.paper?.crowd;
    const here = process.cwd();
    expect(crowdOf(await load(TAPE))).toMatchObject({
      kind: 'tape',
      tapes: [{ symbol: 'BTC/USDT', trades: [path.join(here, 'data/BTCUSDT.trades.csv.gz')] }],
    });
    expect(crowdOf(await load(TAPE, { tapeTrades: ['t1.csv', 't2.csv'], tapeBooks: ['/b.csv'] }))).toMatchObject({
      tapes: [{ trades: [path.join(here, 't1.csv'), path.join(here, 't2.csv')], books: ['/b.csv'] }],
    });
  });

  test('live.example.yaml knows where its keys are and holds none', async () => {
    const settings = await load(LIVE);
    expect(settings.keys).toEqual({ kind: 'environment', key: 'QUOTEKEEPER_KEY', secret: 'QUOTEKEEPER_SECRET' });
    expect(settings.paper).toBeNull();
    expect(settings.trader.requestsPerSecond).toEqual({ public: 0.4, private: 0.4 });
    expect(settings.trader.assumptions.readLagBoundMs).toBe(120_000);
  });
});

describe('a placeholder', () => {
  test.each([
    [
      'behind a value',
      'venue:\n  baseUrl: x # ← the address.\n',
      ['a.yaml:2: venue.baseUrl: a placeholder. Enter the address;'],
    ],
    [
      'behind the key of a section',
      'costs: # ← your fees\n  a: 1\n',
      ['a.yaml:1: costs: a placeholder. Enter your fees;'],
    ],
    ['behind a section on several lines', 'costs: {\n  a: 1,\n} # ← your fees\n', ['a.yaml:1: costs: a placeholder.']],
    ['in a list', 'runs:\n  - b: 1\n    c: { d: 2 } # ← yours\n', ['a.yaml:3: runs[0].c: a placeholder. Enter yours;']],
    [
      'in an item of a list, with its line',
      'to:\n  - a\n  - b # ← your address\n',
      ['a.yaml:3: to[1]: a placeholder. Enter your address;'],
    ],
    ['is none in a line that is commented out below a section', 'keys:\n  file: x\n  # token: y # ← yours\nb: 1\n', []],
    ['is none in a text, in a comment above, or without an arrow', '# ← this\na: "x # ← y" # z\n# ← above\nb: 1\n', []],
  ])('%s', (_, text, lines) => {
    expect(placeholderLines(new Map([['a.yaml', text]]))).toEqual(lines.map((line) => expect.stringContaining(line)));
  });

  test.each([PAPER, TAPE])('is in no example that runs as it is', (text) => {
    expect(placeholderLines(new Map([['a.yaml', text]]))).toEqual([]);
  });
});

describe('numbers', () => {
  test.each([
    ['7000000.10', '7000000.1'],
    ['0.1', '0.1'],
    ['123456789012345678.12345678', '123456789012345678.12345678'],
    ['"0.3"', '0.3'],
    ['1e-7', '0.0000001'],
  ])('the amount %s is taken exactly', async (written, exact) => {
    const settings = await load(changed(PAPER, 'INR: 5000000', `INR: 5000000\n    XYZ: ${written}`));
    expect(settings.paper?.openingBalances.XYZ?.toFixed()).toBe(exact);
  });
});

describe('one mistake gives one sentence with its place', () => {
  test.each([
    ['collarBps: 500', 'collarBps: "abc"', 'runs[0].limits.collarBps: "abc" is not a number > 0 and ≤ 10000.'],
    ['collarBps: 500', 'collarBps: -1', 'runs[0].limits.collarBps: -1 is not a number > 0 and ≤ 10000.'],
    ['tickSize: 1', 'tickSize: 0', 'runs[0].instrument.tickSize: "0" is not an amount that is positive'],
    ['lotSize: 0.00001', 'lotSize: small', 'runs[0].instrument.lotSize: "small" is not an amount'],
    [
      'symbol: BTC/INR\n    instrument',
      'symbol: btcinr\n    instrument',
      'runs[0].symbol: "btcinr" is not a symbol such as BTC/INR',
    ],
    ['makerFeeRatio: 0.0040', 'makerFeeRatio: 40', 'costs.makerFeeRatio: "40" is not a ratio from 0 to 1'],
    ['taxTreatment: credit', 'taxTreatment: maybe', 'costs.taxTreatment: "maybe" is not one of cost, credit, ignore.'],
    ['mode: paper', 'mode: papre', 'mode: "papre" is not one of paper, live.'],
    ['levels: 2', 'levels: 9', 'runs[0].params.levels: 9 is not a whole number ≥ 1 and ≤ 5.'],
    ['halfSpreadBps: 90', 'halfSpreadBps: -5', 'runs[0].params.halfSpreadBps: -5 is not a number > 0'],
    ['skewBps: 60', 'skewBsp: 60', 'runs[0].params.skewBsp: unknown key; allowed keys: levels, halfSpreadBps'],
    ['collarBps: 500', 'colarBps: 500', 'runs[0].limits.colarBps: unknown key; allowed keys: maxOrderQuantity'],
    ['targetRatio: 0.35', 'targetRatoi: 0.35', 'runs[0].quoting.inventory.targetRatoi: unknown key'],
    ['seed: 1', 'sead: 1', 'paper.sead: unknown key'],
    ['mode: paper', 'mode: paper\npolling: { bookMs: 900 }', ', runs. There is advanced.bookMs.'],
    ['collarBps: 500', 'collarBps: 500\n      targetRatio: 1', 'There is runs.quoting.inventory.targetRatio.'],
    ['seed: 1', '__proto__: 1', '__proto__: no key has this name.'],
    ['skewBps: 60', '__proto__: { skewBps: 60 }', '__proto__: no key has this name.'],
    ['seed: 1', 'constructor: 1', 'paper.constructor: unknown key'],
    ['collarBps: 500', 'toString: 500', 'runs[0].limits.toString: unknown key'],
    ['skewBps: 60', 'hasOwnProperty: 60', 'runs[0].params.hasOwnProperty: unknown key'],
    ['startPrice: 5500000', 'startPrise: 5500000', 'paper.crowd.markets[0].startPrise: unknown key'],
    ['strategy: fixed-spread', 'strategy: fixed-spraed', 'runs[0].strategy: There is no strategy "fixed-spraed"'],
    [
      'recvWindowMs: 2500',
      'recvWindowMs: 60001',
      'assumptions.recvWindowMs: 60001 is not a whole number ≥ 100 and ≤ 60000.',
    ],
    ['mode: paper', 'mode: paper\nadvanced: { bookMs: 1000.5 }', 'advanced.bookMs: 1000.5 is not a whole number ≥ 50.'],
    [
      'minNotional: 100',
      'minNotional: 300000',
      'runs[0].limits.maxOrderNotional: 200000 is less than the smallest order',
    ],
    ['orderSize: 50000', 'orderSize: 5000000', 'runs[0].limits.maxOrderNotional: 200000 is less than the 50'],
    [
      'maxOrderQuantity: 0.05',
      'maxOrderQuantity: 0.01',
      'runs[0].limits.maxOrderQuantity: 0.01 is less than the 0.013',
    ],
    ['maxOpenNotional: 600000', 'maxOpenNotional: 60000', 'runs[0].limits.maxOpenNotional: 60000 is less than the 250'],
    [
      'maxOpenNotional: 600000',
      'maxOpenNotional: 249999.99999999',
      'maxOpenNotional: 249999.99999999 is less than the 250000 INR',
    ],
    ['halfSpreadStepBps: 40', 'halfSpreadStepBps: 4000', 'runs[0].limits.collarBps: 500 is less than the 4090 bps'],
    ['collarBps: 500', 'collarBps: 40', 'runs[0].limits.collarBps: 40 denies every order: costs alone'],
    [
      'targetRatio: 0.35  #',
      'targetRatio: 0.35\n      costFloor: { minimumProfitBps: 480 }  #',
      'runs[0].limits.collarBps: 500 denies every order: costs alone',
    ],
    [
      'maxInventoryBase: 1',
      'maxInventoryBase: 1\n      minInventoryBase: 2',
      'runs[0].limits.minInventoryBase: 2 is more than',
    ],
    [
      '- symbol: ETH/INR\n    instrument',
      '- symbol: BTC/INR\n    instrument',
      'runs[1].symbol: BTC/INR is quoted already by runs[0]',
    ],
    ['- symbol: ETH/INR\n        startPrice', '- symbol: DOT/INR\n        startPrice', 'nobody trades ETH/INR'],
    [
      'public: { requestsPerSecond: 9',
      'public: { requestsPerSecond: 90',
      'lanes.public.requestsPerSecond: 90 is more than the 10 per second',
    ],
    [
      'mode: paper',
      'mode: paper\nstatement: { yearBegins: 04-31 }',
      'statement.yearBegins: "04-31" is not a month and a day',
    ],
    ['mode: paper', 'mode: paper\ntimeZone: Mars', 'timeZone: "Mars" is not a time zone'],
    ['mode: paper', 'mode: paper\nstatement: { costs: { BTC/INR: 5, BTC/USDT: 3 } }', 'One cost for each coin'],
    ['taxTreatment: credit', 'taxTreatment: credit\n  taxTreatment: cost', 'This key stands twice in its section.'],
    ['levels: 2', 'levels: [2', 'This is not valid YAML'],
    ['seed: 1', 'seed: &a 1\n  host: *a', 'Aliases (*name) are not read here'],
  ])('%s → %s', async (from, to, sentence) => {
    const { lines } = await paperRefusal(from, to);
    const line = lines.find((each) => each.includes(sentence));
    expect({ lines, found: line !== undefined }).toMatchObject({ found: true });
    expect(line).toMatch(/^config\/a\.yaml:\d+: /);
  });

  test.each([
    ['maxInventoryBase: 20', 'maxInventoryBase: none'],
    ['levels: 2', 'levels: two'],
    ['startPrice: 300000', 'startPrice: cheap'],
    ['readLagBoundMs: 1000', 'readLagBoundMs: far'],
  ])('the line is that of the value: %s → %s', async (from, to) => {
    const { lines, at } = await paperRefusal(from, to);
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^config/a\\.yaml:${at}: `))]);
  });

  test('a missing value is reported at its section', async () => {
    const { lines } = await paperRefusal('      maxOrderQuantity: 0.05\n', '');
    const at = PAPER.slice(0, PAPER.indexOf('    limits:')).split('\n').length;
    expect(lines).toEqual([
      `config/a.yaml:${at}: runs[0].limits.maxOrderQuantity: missing; expected an amount > 0, such as 0.25.`,
    ]);
  });

  test('a limit equal to the sum of three levels gives no complaint: their sizes are quotients', async () => {
    const wants: readonly [string, string][] = [
      ['levels: 2', 'levels: 3'],
      ['orderSize: 50000', 'orderSize: 40000'],
      ['orderSizeStep: 25000', 'orderSizeStep: 10000'],
      ['maxOpenNotional: 600000', 'maxOpenNotional: 300000'],
    ];
    const settings = await load(wants.reduce((text, [from, to]) => changed(text, from, to), PAPER));
    expect(settings).toBeDefined();
  });

  test('all mistakes are reported at once, in the order of the file', async () => {
    const text = changed(
      changed(changed(PAPER, 'port: 8788', 'port: 70000'), 'levels: 2', 'levels: 0'),
      'collarBps: 500',
      'collarBps: x',
    );
    const lines = await refusal([write('a.yaml', text)]);
    expect(lines.map((line) => line.replace(/^[^ ]+ ([^:]+):.*$/, '$1'))).toEqual([
      'paper.port',
      'runs[0].params.levels',
      'runs[0].limits.collarBps',
    ]);
  });

  test.each([
    ['', 'The file is empty.'],
    ['- a\n- b\n', 'the file: a list is not a section.'],
    ['just words', 'the file: "just words" is not a section.'],
  ])('a file that holds %j is refused', async (text, sentence) => {
    expect((await refusal([write('a.yaml', text)])).join('\n')).toContain(sentence);
  });

  test('a missing file is refused', async () => {
    expect(await refusal(['config/none.yaml'])).toEqual(['There is no file config/none.yaml.']);
  });

  test('a folder is refused in plain words', async () => {
    expect(await refusal(['config'])).toEqual(['config is a folder; a configuration file was expected.']);
  });

  test('a recording on the command line needs a tape to replace', async () => {
    const lines = await refusal([write('a.yaml', PAPER)], { tapeTrades: ['x.csv'] });
    expect(lines).toEqual([expect.stringContaining('paper.crowd: files on the command line')]);
  });
});
