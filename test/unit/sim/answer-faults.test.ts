// What befalls the content of answers, and that no list is wrong for longer than the bot may assume.
import { describe, expect, test } from '@jest/globals';
import { createAnswerFaults, type Response, shiftedBook } from '../../../src/sim/answer-faults.ts';

const BOUND_MS = 10_000;
const ORDERS = { endpoint: 'open-orders', symbol: null } as const;
const BOOK = { endpoint: 'order-book', symbol: 'BTC/INR' } as const;

const answerOf = (body: unknown): Response => ({
  kind: 'response',
  status: 200,
  headers: { date: 'Thu, 01 Jan 2026 00:00:00 GMT', 'x-ratelimit-remaining': '3' },
  body: JSON.stringify(body),
  sentAt: 0,
  receivedAt: 1,
});

function faultsAt(clock: { now: number }) {
  return createAnswerFaults({ spareLagMs: BOUND_MS, now: () => clock.now });
}

const low = { next: () => 0 };
const high = { next: () => 0.999 };
const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ orderId: `o${index}`, symbol: 'BTC/INR' }));
const idsIn = (answer: Response | null): string[] =>
  (JSON.parse(answer?.body ?? '[]') as { orderId: string }[]).map(({ orderId }) => orderId);

describe('a hole in the list of open orders', () => {
  test('hides one order for less than the bound, and each order once', () => {
    const clock = { now: 0 };
    const faults = faultsAt(clock);
    expect(idsIn(faults.spoil('hole', answerOf(rows(3)), ORDERS, high))).toEqual(['o0', 'o1']);
    clock.now = BOUND_MS * 0.8;
    expect(idsIn(faults.pass(answerOf(rows(3)), ORDERS))).toEqual(['o0', 'o1']);
    clock.now = BOUND_MS;
    expect(idsIn(faults.pass(answerOf(rows(3)), ORDERS))).toEqual(['o0', 'o1', 'o2']);
    expect(faults.spoil('hole', answerOf(rows(3)), ORDERS, high)).toBeNull();
  });

  test('leaves a page full that is cut at 20 rows', () => {
    const faults = faultsAt({ now: 0 });
    expect(idsIn(faults.spoil('hole', answerOf(rows(20)), ORDERS, high))).toHaveLength(20);
  });
});

test('an empty list in an outage comes once, and not again before its time', () => {
  const clock = { now: 0 };
  const faults = faultsAt(clock);
  expect(idsIn(faults.spoil('no-rows', answerOf(rows(3)), ORDERS, low))).toEqual([]);
  clock.now = 2 * BOUND_MS;
  expect(faults.spoil('no-rows', answerOf(rows(3)), ORDERS, low)).toBeNull();
  clock.now = 3 * BOUND_MS;
  expect(faults.spoil('no-rows', answerOf(rows(3)), ORDERS, low)).not.toBeNull();
});

test('rows that are spoiled keep ids that a float can not hold (seed 382)', () => {
  const body = '[{"id":9007199254740993,"orderId":"o0","qty":"1.0"}]';
  const asked = { endpoint: 'spot-trades', symbol: 'BTC/INR' } as const;
  const spoiled = faultsAt({ now: 0 }).spoil('repeated-row', { ...answerOf([]), body }, asked, low);
  expect(spoiled?.body).toBe(`[${body.slice(1, -1)},${body.slice(1, -1)}]`);
});

test('an answer from the cache is younger than the bound', () => {
  const clock = { now: 0 };
  const faults = faultsAt(clock);
  faults.pass(answerOf(rows(1)), ORDERS);
  clock.now = BOUND_MS - 1;
  expect(idsIn(faults.spoil('cached', answerOf(rows(2)), ORDERS, low))).toEqual(['o0']);
  clock.now = BOUND_MS;
  expect(faults.spoil('cached', answerOf(rows(2)), ORDERS, low)).toBeNull();
});

describe('books', () => {
  const book = {
    bids: [
      ['99', '1'],
      ['98', '2'],
    ],
    asks: [['101', '1']],
  };

  test.each([
    ['empty-side', { bids: [], asks: book.asks }],
    [
      'crossed',
      {
        bids: book.asks,
        asks: [
          ['98', '2'],
          ['99', '1'],
        ],
      },
    ],
    [
      'shifted-decimal',
      {
        bids: [
          ['990', '1'],
          ['980', '2'],
        ],
        asks: [['1010', '1']],
      },
    ],
    [
      'odd-number',
      {
        bids: [
          ['-1', '1'],
          ['98', '2'],
        ],
        asks: book.asks,
      },
    ],
  ] as const)('%s', (fault, expected) => {
    const spoiled = faultsAt({ now: 0 }).spoil(fault, answerOf(book), BOOK, low);
    expect(JSON.parse(spoiled?.body ?? 'null')).toEqual(expected);
  });

  test('of another symbol', () => {
    const faults = faultsAt({ now: 0 });
    faults.pass(answerOf({ bids: [['5', '1']], asks: [] }), { ...BOOK, symbol: 'ETH/INR' });
    expect(faults.spoil('other-symbol', answerOf(book), BOOK, low)?.body).toContain('"5"');
  });

  test('shifted prices stay whole and above zero', () => {
    expect(JSON.parse(shiftedBook(JSON.stringify(book), 0.001))).toEqual({
      bids: [
        ['1', '1'],
        ['1', '2'],
      ],
      asks: [['1', '1']],
    });
  });
});

test('the Date may be missing, ahead or behind', () => {
  const faults = faultsAt({ now: 0 });
  const dateOf = (draw: number): string | undefined =>
    faults.spoil('no-date', answerOf([]), ORDERS, { next: () => draw })?.headers.date;
  expect([dateOf(0), dateOf(0.5), dateOf(0.9)]).toEqual([
    undefined,
    'Thu, 01 Jan 2026 00:00:20 GMT',
    'Wed, 31 Dec 2025 23:59:40 GMT',
  ]);
});
