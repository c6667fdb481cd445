// From prices of other exchanges to our own unit: each step multiplies or divides, and is as old as its oldest part.
import { expect, test } from '@jest/globals';
import { decimal, plain } from '../../../src/domain/decimal.ts';
import { readingOf, type Seen } from '../../../src/reference/combine.ts';
import { keyOf, type Rate, readsOf, type SymbolPlan } from '../../../src/reference/plan.ts';

const GUARDS: SymbolPlan['guards'] = {
  minimumSources: 1,
  widenAfterMs: 5_000,
  staleMs: 20_000,
  widenBeyondBps: 20,
  stopBeyondBps: 100,
};
const seen = (price: number | string, asOf: number): Seen => ({ kind: 'seen', price: decimal(price), asOf });

const EXCHANGES: Record<string, Seen> = {
  'binance BTC/USDT ticker': seen(100_000, 1_000),
  'kraken BTC/USD book': seen(99_900, 900),
  'kraken USDT/USD ticker': seen('0.999', 800),
  'bitbns USDT/INR ticker': seen(88, 700),
  'okx BTC/USDT ticker': { kind: 'unseen', why: 'okx BTC/USDT: it does not answer.' },
};
const MARKETS: Record<string, Seen> = { 'USDT/INR': seen(90, 500) };
const NOT_HERE: Seen = { kind: 'unseen', why: 'It is not here.' };
const PRICES = {
  ofExchange: (read: Parameters<typeof keyOf>[0]): Seen => EXCHANGES[keyOf(read)] ?? NOT_HERE,
  ofMarket: (symbol: string): Seen => MARKETS[symbol] ?? NOT_HERE,
};

type Source = SymbolPlan['sources'][number];
const source = (exchange: string, symbol: string, read: Source['read'], ...rates: Rate[]): Source => ({
  ...{ exchange, symbol, read, rates },
});

/** `price as-of`, or why not. */
function converted(from: Source): string {
  const { legs, missing } = readingOf({ symbol: 'BTC/INR', sources: [from], guards: GUARDS }, PRICES);
  return [...legs.map(({ price, asOf }) => `${plain(price)} ${asOf}`), ...missing].join(' ');
}

const ofMarket: Rate = { kind: 'market', symbol: 'USDT/INR' };
const ofBitbns: Rate = { kind: 'exchange', exchange: 'bitbns', symbol: 'USDT/INR', read: 'ticker' };
const usdOfUsdt: Rate = { kind: 'exchange', exchange: 'kraken', symbol: 'USDT/USD', read: 'ticker' };

test.each<[string, Source, string]>([
  ['none', source('binance', 'BTC/USDT', 'ticker'), '100000 1000'],
  ['a market of ours', source('binance', 'BTC/USDT', 'ticker', ofMarket), '9000000 500'],
  ['another exchange', source('binance', 'BTC/USDT', 'ticker', ofBitbns), '8800000 700'],
  ['two steps, the first of which divides', source('kraken', 'BTC/USD', 'book', usdOfUsdt, ofMarket), '9000000 500'],
  [
    'a fixed one, as old as what it converts',
    source('binance', 'BTC/USDT', 'ticker', { kind: 'fixed', symbol: 'USDT/INR', price: decimal('88.5') }),
    '8850000 1000',
  ],
  ['a source that fails', source('okx', 'BTC/USDT', 'ticker', ofMarket), 'okx BTC/USDT: it does not answer.'],
  [
    'a rate that is not there',
    source('binance', 'BTC/USDT', 'ticker', { kind: 'market', symbol: 'USDT/EUR' }),
    'It is not here.',
  ],
  [
    'a rate of another asset',
    source('binance', 'BTC/USDT', 'ticker', { kind: 'market', symbol: 'ETH/INR' }),
    'ETH/INR does not convert USDT.',
  ],
])('a conversion by %s', (_, from, expected) => expect(converted(from)).toBe(expected));

test('what several sources need is read once', () => {
  const sources = [
    source('binance', 'BTC/USDT', 'ticker', ofBitbns),
    source('kraken', 'BTC/USD', 'book', usdOfUsdt, ofBitbns),
  ];
  const plan = { symbol: 'BTC/INR', sources, guards: GUARDS };
  expect(readsOf([plan, plan]).map(keyOf)).toEqual([
    'binance BTC/USDT ticker',
    'bitbns USDT/INR ticker',
    'kraken BTC/USD book',
    'kraken USDT/USD ticker',
  ]);
});
