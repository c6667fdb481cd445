// The configured reference price: conversions that end in the right asset, guards that the pace can satisfy, and a
// sentence with its place for impossible ones.
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { plain } from '../../../src/domain/decimal.ts';
import { changed, enterProject, inProject, leaveProject, load, PAPER, refusal, write } from './settings-project.ts';

beforeEach(() => void enterProject());
afterEach(leaveProject);

const LINES = PAPER.split('\n').length;
const SOURCE = '{ exchange: binance, symbol: BTC/USDT, rates: [{ kind: fixed, symbol: USDT/INR, price: 88.50 }] }';

/** The paper configuration with one source in line 5 of the section, and further lines after it. */
const withSource = (source: string, ...rest: readonly string[]): string =>
  `${PAPER}
reference:
  symbols:
    - symbol: BTC/INR
      sources:
        - ${source}
${rest.join('\n')}
`;

/** The complaints, by their lines in the section. */
async function complaints(text: string): Promise<string[]> {
  const lines = await refusal([write('a.yaml', text)]);
  return lines.map((line) =>
    line.replace(/^config\/a\.yaml:(\d+): reference\./, (_, at: string) => `${Number(at) - LINES} `),
  );
}

describe('a reference', () => {
  test('is null if not configured', async () => {
    expect((await load(PAPER)).reference).toBeNull();
  });

  test('has a cautious pace and cautious guards if only its sources are configured', async () => {
    const { reference } = await load(withSource(SOURCE));
    expect(reference).toMatchObject({
      ...{ pollMs: 2_000, timeoutMs: 5_000, requestsPerSecond: 2, baseUrls: {} },
      packageFolders: [inProject('state/packages'), path.resolve(import.meta.dirname, '../../..')],
      symbols: [
        {
          symbol: 'BTC/INR',
          guards: {
            ...{ minimumSources: 1, widenAfterMs: 6_000, staleMs: 20_000 },
            ...{ widenBeyondBps: 20, stopBeyondBps: 100 },
          },
        },
      ],
    });
    const [rate] = reference?.symbols[0]?.sources[0]?.rates ?? [];
    expect(rate?.kind === 'fixed' && plain(rate.price)).toBe('88.5');
  });

  test.each<[string, string]>([
    [
      'a market that is quoted, which divides',
      '{ exchange: a, symbol: BTC/ETH, rates: [{ kind: market, symbol: ETH/INR }] }',
    ],
    [
      'two steps, one of them turned around',
      '{ exchange: a, symbol: BTC/USD, rates: [{ kind: exchange, exchange: b, symbol: USDT/USD }, ' +
        '{ kind: exchange, exchange: c, symbol: USDT/INR }] }',
    ],
    ['none, where it is quoted in our own asset', '{ exchange: a, symbol: BTC/INR, read: book }'],
  ])('converts by %s', async (_, source) => {
    expect((await load(withSource(source))).reference?.symbols).toHaveLength(1);
  });
});

describe('impossible configurations are refused', () => {
  const rated = (rates: string): string => `{ exchange: a, symbol: BTC/USDT, rates: [${rates}] }`;

  const FIXED_USD = '{ kind: fixed, symbol: USDT/USD, price: 1 }';

  /** Each source, and what is said of its parts. */
  test.each<[string, string]>([
    [
      rated('{ kind: market, symbol: USDT/INR }'),
      'rates[0].symbol: USDT/INR is not quoted: no run has it, its book is not read. Take kind: exchange or fixed.',
    ],
    ['{ exchange: a, symbol: BTC/USDT }', 'symbol: the price ends in USDT, not in INR: name a rate from USDT to INR.'],
    [rated(FIXED_USD), 'rates: the price ends in USD, not in INR: name a rate from USD to INR.'],
    [rated('{ kind: fixed, symbol: EUR/INR, price: 100 }'), 'rates[0].symbol: EUR/INR does not convert USDT.'],
    [
      rated(`${FIXED_USD}, { kind: exchange, exchange: b, symbol: USDT/USD }`),
      'rates[1].symbol: USDT/USD goes in a circle: it comes back to USDT.',
    ],
    ['{ exchange: a, symbol: ETH/INR }', 'symbol: ETH/INR is no price of BTC, the base of BTC/INR.'],
    [
      '{ exchange: Binance!, symbol: BTC/INR }',
      'exchange: "Binance!" is not the name of an exchange as ccxt writes it, such as binance.',
    ],
    ['{ exchange: a, symbol: BTC/INR, read: trades }', 'read: "trades" is not one of ticker, book.'],
    ['{ exchange: a, symbol: BTC/INR, rate: 88 }', 'rate: unknown key; allowed keys: exchange, symbol, read, rates.'],
  ])('%s', async (source, expected) =>
    expect(await complaints(withSource(source))).toEqual([`5 symbols[0].sources[0].${expected}`]),
  );

  test('more sources than there are', async () => {
    expect(await complaints(withSource(SOURCE, '      guards: { minimumSources: 2 }'))).toEqual([
      '6 symbols[0].guards.minimumSources: 2 of 1 sources cannot be.',
    ]);
  });

  test('a symbol without a run, and one that has its sources already', async () => {
    const more = ['XRP/INR', 'BTC/INR'].map((symbol) => `    - { symbol: ${symbol}, sources: [${SOURCE}] }`);
    expect(await complaints(withSource(SOURCE, ...more))).toEqual([
      '6 symbols[1].symbol: XRP/INR is not quoted: no run has it. Those that are: BTC/INR, ETH/INR.',
      '7 symbols[2].symbol: BTC/INR has its sources already in symbols[0].',
    ]);
  });

  test('a run that quotes around an external price that nobody reads', async () => {
    const run = changed(PAPER, 'strategy: ', 'referenceSource: external\n    strategy: ');
    const lines = await refusal([write('a.yaml', run)]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /runs\[0\]\.referenceSource: external wants BTC\/INR in reference\.symbols, with the sources of its price\.$/,
    );
    const reference = withSource(SOURCE).slice(PAPER.length);
    expect((await load(run + reference)).trader.runs[0]?.referenceSource).toBe('external');
  });
});
