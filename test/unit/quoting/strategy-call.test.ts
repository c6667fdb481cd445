// A strategy is user code: whatever it throws or returns becomes a value that says what and where.
import { describe, expect, test } from '@jest/globals';
import { Decimal, decimal } from '../../../src/domain/decimal.ts';
import { computeQuotes } from '../../../src/quoting/pipeline/pipeline.ts';
import type { MarketEvent, Strategy } from '../../../src/quoting/strategy.ts';
import {
  askNeeds,
  askWhyUnfit,
  askWidthBps,
  reduceMemory,
  startMemory,
} from '../../../src/quoting/strategy-call/ask-strategy.ts';
import { failureText, placeOf, thrownText } from '../../../src/quoting/strategy-call/read-answer.ts';
import { instrument, quoteText, settings, view, wanting } from './market.ts';

/** What becomes of this answer; types at run time may be anything. */
const answering = (quote: () => unknown) =>
  computeQuotes({
    strategy: wanting([], { name: 'mine', quote: quote as Strategy['quote'] }),
    params: undefined,
    view: view(),
    settings: settings(),
    live: [],
  });

const good = { side: 'buy', level: 0, price: decimal('99'), quantity: decimal('1') };
const ask = { side: 'sell', level: 0, price: decimal('101'), quantity: decimal('1') };
const returning = (...quotes: unknown[]) => answering(() => ({ quotes, explain: [] }));

describe('a strategy that gives no list of quotes has failed', () => {
  test.each<[string, () => unknown, string]>([
    ['nothing', () => undefined, 'it returned undefined instead of { quotes, explain }.'],
    ['null', () => null, 'it returned null instead of { quotes, explain }.'],
    ['a promise', async () => ({ quotes: [] }), 'it returned a promise: quote() must answer at once.'],
    [
      'a promise that is rejected',
      () => Promise.reject(new Error('late')),
      'it returned a promise: quote() must answer at once.',
    ],
    ['no list', () => ({ quotes: { buy: 1 }, explain: [] }), 'its `quotes` is a object instead of a list.'],
    ['no reasons', () => ({ quotes: [] }), 'its `explain` is undefined instead of a list.'],
    [
      'thousands of quotes',
      () => ({ quotes: Array.from({ length: 5_000 }, (_, level) => ({ ...good, level })), explain: [] }),
      'it wanted 5000 quotes; 200 are the most.',
    ],
  ])('%s', (_what, quote, message) => {
    const { quotes, failure, noQuote } = answering(quote);
    expect(failure).toEqual({ kind: 'strategy-failed', strategy: 'mine', message, place: null });
    expect(quotes).toEqual([]);
    expect(noQuote.buy).toBe(`The strategy "mine" failed: ${message}`);
    expect(noQuote.sell).toBe(noQuote.buy);
  });

  test.each<[string, () => unknown, string]>([
    [
      'an error',
      () => {
        throw new Error('no price for BTC');
      },
      'no price for BTC',
    ],
    ['a bug', () => (undefined as unknown as { book: { bids: 1 } }).book.bids, 'TypeError: Cannot read properties'],
    [
      'endless recursion',
      () => {
        const deeper = (n: number): number => deeper(n + 1) + 1;
        return deeper(0);
      },
      'RangeError: Maximum call stack size exceeded',
    ],
    [
      'a getter that throws',
      () => ({
        quotes: [
          {
            ...good,
            get price() {
              throw new Error('lazy');
            },
          },
        ],
        explain: [],
      }),
      'lazy',
    ],
  ])('it throws %s', (_what, quote, message) => {
    const { failure } = answering(quote);
    expect(failure?.message).toContain(message);
  });
});

describe('whatever a strategy is asked, a promise is no answer', () => {
  type Answer = () => Promise<unknown>;
  const mine = (changes: object): Strategy => wanting([], { name: 'mine', ...changes });
  const event = { kind: 'book' } as MarketEvent;
  const reduced = (reduce: Answer) =>
    reduceMemory(mine({ memory: { start: () => 0, reduce } }), undefined, { memory: 0, event });
  const asked: [string, (answer: Answer) => unknown, unknown][] = [
    ['memory.reduce()', reduced, failureOf('memory.reduce()')],
    [
      'memory.start()',
      (start) => startMemory(mine({ memory: { start, reduce: () => 0 } }), undefined),
      failureOf('memory.start()'),
    ],
    ['needs()', (needs) => askNeeds(mine({ needs }), undefined), failureOf('needs()')],
    [
      'whyUnfit()',
      (whyUnfit) => askWhyUnfit(mine({ whyUnfit }), undefined, instrument),
      'The strategy "mine" failed: it returned a promise: whyUnfit() must answer at once.',
    ],
    ['widthBps()', (widthBps) => askWidthBps(mine({ widthBps }), undefined), null],
  ];

  test.each(asked)('%s', (_of, ask, becomes) => {
    expect(ask(async () => null)).toEqual(becomes);
  });

  test.each(asked)('%s: one that is rejected does not end the process', async (_of, ask) => {
    const rejected: unknown[] = [];
    const hear = (reason: unknown): void => void rejected.push(reason);
    process.on('unhandledRejection', hear);
    ask(() => Promise.reject(new Error('late')));
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off('unhandledRejection', hear);
    expect(rejected).toEqual([]);
  });

  function failureOf(of: string) {
    const message = `it returned a promise: ${of} must answer at once.`;
    return { kind: 'strategy-failed', strategy: 'mine', message, place: null };
  }
});

describe('a quote that can’t be one is left out, with slot and value', () => {
  test.each<[string, object, string, string]>([
    ['a price of NaN', { price: new Decimal(Number.NaN) }, 'buy:0', 'a price of NaN for buy:0.'],
    ['an infinite price', { price: new Decimal(Infinity) }, 'buy:0', 'a price of Infinity for buy:0.'],
    ['a negative price', { price: decimal('-5') }, 'buy:0', 'a price of -5 for buy:0.'],
    ['a number', { price: 99 }, 'buy:0', 'a price of the number 99 for buy:0.'],
    ['a text', { price: '99' }, 'buy:0', "a price of the text '99' for buy:0."],
    ['no price', { price: undefined }, 'buy:0', 'a price of undefined for buy:0.'],
    ['a price beyond all sizes', { price: decimal('1e5000') }, 'buy:0', 'a price of 1.00000e+5000 for buy:0.'],
    ['a quantity of zero', { quantity: decimal(0) }, 'buy:0', 'a quantity of 0 for buy:0.'],
    ['a quantity of NaN', { quantity: new Decimal(Number.NaN) }, 'buy:0', 'a quantity of NaN for buy:0.'],
    ['another side', { side: 'bid' }, 'quote 1', "The side of quote 1 is the text 'bid'"],
    ['half a level', { level: 0.5 }, 'quote 1', 'The level of quote 1 is the number 0.5'],
  ])('%s', (_what, changes, slot, why) => {
    const { quotes, failure, flaws, noQuote } = returning({ ...good, ...changes }, ask);
    expect(failure).toBeNull();
    expect(flaws).toEqual([{ kind: 'flawed', slot, why: expect.stringContaining(why) }]);
    expect(quotes.map(quoteText)).toEqual(['sell:0 1 @ 101']);
    expect(noQuote.buy).toContain(why);
  });

  test('what is no quote at all, and holes in the list', () => {
    // biome-ignore lint/suspicious/noSparseArray: that is what is tested
    const { flaws, quotes } = answering(() => ({ quotes: [null, , 7, ask], explain: [null, { why: 5 }] }));
    expect(flaws.map(({ why }) => why)).toEqual([
      'The strategy wanted null as quote 1 of its list.',
      'The strategy wanted undefined as quote 2 of its list.',
      'The strategy wanted the number 7 as quote 3 of its list.',
    ]);
    expect(quotes.map(quoteText)).toEqual(['sell:0 1 @ 101']);
  });
});

describe('the place', () => {
  const thrown = (stack: string): Error => Object.assign(new Error('x'), { stack });
  const root = import.meta.dirname.replace('/test/unit/quoting', '');

  test('is the innermost frame of a file in strategies/, from the project’s folder', () => {
    const stack = [
      'Error: x',
      `    at gauss (file://${root}/src/domain/decimal.ts:5:1)`,
      `    at Object.quote (file://${root}/strategies/mine.ts:12:11)`,
      `    at askStrategy (file://${root}/src/quoting/strategy-call/ask-strategy.ts:11:35)`,
      `    at wanted (file://${root}/strategies/other.ts:1:1)`,
    ];
    expect(placeOf(thrown(stack.join('\n')))).toBe('strategies/mine.ts:12');
  });

  test('of a file elsewhere is its name alone', () => {
    expect(placeOf(thrown('Error: x\n    at quote (/home/someone/secret/mine.ts:3:7)'))).toBe('mine.ts:3');
    expect(placeOf(thrown('Error: x\n    at /home/someone/secret/mine.ts:3:7'))).toBe('mine.ts:3');
  });

  test('of a strategy beside a configuration elsewhere is named from the folder above', () => {
    const stack = [
      'Error: x',
      `    at gauss (file://${root}/src/domain/decimal.ts:5:1)`,
      '    at Object.quote (file:///home/someone/desk/strategies/mine.mts:12:11)',
      `    at askStrategy (file://${root}/src/quoting/strategy-call/ask-strategy.ts:11:35)`,
    ];
    expect(placeOf(thrown(stack.join('\n')))).toBe('strategies/mine.mts:12');
  });

  test('is unknown where nothing says it', () => {
    expect(placeOf('text')).toBeNull();
    expect(placeOf(thrown('Error: x'))).toBeNull();
    expect(placeOf({ stack: 7 })).toBeNull();
  });

  test('no message holds the project’s path, more than one line, or all of a long text', () => {
    expect(thrownText(new Error(`no such file: ${root}/strategies/a.csv`))).toBe('no such file: strategies/a.csv');
    expect(thrownText(new Error(`a\n   b ${'c'.repeat(1_000)}`))).toMatch(/^a b c{296} …$/);
  });

  test('is part of the sentence', () => {
    const failure = { kind: 'strategy-failed', strategy: 'mine', message: 'x', place: 'strategies/mine.ts:3' } as const;
    expect(failureText(failure)).toBe('The strategy "mine" failed (strategies/mine.ts:3): x.');
  });
});

const withoutText = {
  toString: () => {
    throw new Error('No text.');
  },
};

test.each<[string, unknown, string]>([
  ['its message', new Error('σ is not known yet.'), 'σ is not known yet.'],
  ['its message on one line', new Error('\n  σ is not\n\tknown   yet. \n'), 'σ is not known yet.'],
  ['its name where that says more', new TypeError('x is not a function'), 'TypeError: x is not a function'],
  ['its name where it has no message', new Error(''), 'Error:'],
  ['what it is where it is no error', 'odd', 'odd was thrown'],
  ['what it is where it is nothing', undefined, 'undefined was thrown'],
  ['that it has none', withoutText, 'what was thrown has no text'],
])('of what a strategy throws is told %s', (_, thrown, text) => {
  expect(thrownText(thrown)).toBe(text);
});

test('a long message is cut, one that just fits is not', () => {
  const whole = thrownText(new Error('x'.repeat(10_000)));
  const most = whole.length - 2;
  expect(whole).toBe(`${'x'.repeat(most)} …`);
  expect(thrownText(new Error('x'.repeat(most)))).toBe('x'.repeat(most));
  expect(thrownText(new Error('x'.repeat(most + 1)))).toBe(whole);
});
