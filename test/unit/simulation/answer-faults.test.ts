// What befalls the content of answers, and that no list is wrong for longer than the bot may assume.
import { describe, expect, test } from '@jest/globals';
import { createAnswerFaults, type Response } from '../../../simulation/faults/answer-faults.ts';
import { shiftedBook } from '../../../simulation/faults/odd-answers.ts';
import { MINUTE } from '../../../src/domain/time.ts';

const BOUND_MS = 10_000;
const ORDERS = { endpoint: 'open-orders', symbol: null, filter: '' } as const;
const BOOK = { endpoint: 'order-book', symbol: 'BTC/INR', filter: '' } as const;

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

const always = (draw: number) => ({ next: () => draw });
/** Of the kinds that came later the first stream says nothing, the second everything. */
const drawing = (draw: number, later: number) => ({ ...always(draw), later: always(later) });
const low = drawing(0, 0.999);
const high = drawing(0.999, 0.999);
const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ orderId: `o${index}`, symbol: 'BTC/INR' }));
const idsIn = (answer: Response | null): string[] =>
  (JSON.parse(answer?.body ?? '[]') as { orderId: string }[]).map(({ orderId }) => orderId);

describe('a hole in the list of open orders', () => {
  test('hides one order for less than the bound, and each order once', () => {
    const clock = { now: 0 };
    const faults = faultsAt(clock);
    expect(idsIn(faults.corrupt('hole', answerOf(rows(3)), ORDERS, high))).toEqual(['o0', 'o1']);
    clock.now = BOUND_MS * 0.8;
    expect(idsIn(faults.pass(answerOf(rows(3)), ORDERS))).toEqual(['o0', 'o1']);
    clock.now = BOUND_MS;
    expect(idsIn(faults.pass(answerOf(rows(3)), ORDERS))).toEqual(['o0', 'o1', 'o2']);
    expect(faults.corrupt('hole', answerOf(rows(3)), ORDERS, high)).toBeNull();
  });

  test('leaves a page full that is cut at 20 rows', () => {
    const faults = faultsAt({ now: 0 });
    expect(idsIn(faults.corrupt('hole', answerOf(rows(20)), ORDERS, high))).toHaveLength(20);
  });
});

test('an empty list in an outage comes once, and not again before its time', () => {
  const clock = { now: 0 };
  const faults = faultsAt(clock);
  expect(idsIn(faults.corrupt('no-rows', answerOf(rows(3)), ORDERS, low))).toEqual([]);
  clock.now = 2 * BOUND_MS;
  expect(faults.corrupt('no-rows', answerOf(rows(3)), ORDERS, low)).toBeNull();
  clock.now = 3 * BOUND_MS;
  expect(faults.corrupt('no-rows', answerOf(rows(3)), ORDERS, low)).not.toBeNull();
});

test('rows that are spoiled keep ids that a float cannot hold (seed 382)', () => {
  const body = '[{"id":9007199254740993,"orderId":"o0","qty":"1.0"}]';
  const asked = { endpoint: 'spot-trades', symbol: 'BTC/INR', filter: '' } as const;
  const corrupted = faultsAt({ now: 0 }).corrupt('repeated-row', { ...answerOf([]), body }, asked, low);
  expect(corrupted?.body).toBe(`[${body.slice(1, -1)},${body.slice(1, -1)}]`);
});

test('an answer from the cache is younger than the bound', () => {
  const clock = { now: 0 };
  const faults = faultsAt(clock);
  faults.pass(answerOf(rows(1)), ORDERS);
  clock.now = BOUND_MS - 1;
  expect(idsIn(faults.corrupt('cached', answerOf(rows(2)), ORDERS, low))).toEqual(['o0']);
  clock.now = BOUND_MS;
  expect(faults.corrupt('cached', answerOf(rows(2)), ORDERS, low)).toBeNull();
});

test('an answer from the cache is one to the same question', () => {
  const faults = faultsAt({ now: 0 });
  const trades = { endpoint: 'spot-trades', symbol: 'BTC/INR', filter: 'fromId=7' } as const;
  faults.pass(answerOf(rows(1)), { ...trades, filter: 'endTime=9' });
  expect(faults.corrupt('cached', answerOf(rows(2)), trades, low)).toBeNull();
  faults.pass(answerOf(rows(1)), trades);
  expect(idsIn(faults.corrupt('cached', answerOf(rows(2)), trades, low))).toEqual(['o0']);
});

test('an answer from the cache is one to a read', () => {
  const faults = faultsAt({ now: 0 });
  const create = { endpoint: 'create', symbol: null, filter: '' } as const;
  faults.pass({ ...answerOf([]), body: '{"data":{"order_id":"1-1-1"}}' }, create);
  expect(faults.corrupt('cached', { ...answerOf([]), body: '{"data":{"order_id":"1-2-1"}}' }, create, low)).toBeNull();
});

test('an answer from the cache has its own content type, not that of a page of a gateway', () => {
  const faults = faultsAt({ now: 0 });
  const typed = (answer: Response, type: string): Response => ({
    ...answer,
    headers: { ...answer.headers, 'content-type': type },
  });
  faults.pass(typed(answerOf(rows(1)), 'application/json'), ORDERS);
  const page = typed({ ...answerOf([]), body: '<html>' }, 'text/html');
  const cached = faults.corrupt('cached', page, ORDERS, low);
  expect([cached?.headers['content-type'], idsIn(cached)]).toEqual(['application/json', ['o0']]);
});

describe('books', () => {
  /** Levels as `99x1 98x2`. */
  const side = (levels: string) => levels.split(' ').map((level) => level.split('x'));
  const bookOf = (bids: string, asks: string) => ({ bids: side(bids), asks: side(asks) });
  const book = bookOf('99x1 98x2', '101x1');

  test.each([
    ['empty-side', 0.999, { bids: [], asks: book.asks }],
    ['crossed', 0.999, bookOf('101x1', '98x2 99x1')],
    ['shifted-decimal', 0.999, bookOf('990x1 980x2', '1010x1')],
    ['odd-number', 0.999, bookOf('-1x1 98x2', '101x1')],
    // As they came later: locked, or a price that is next to nothing.
    ['crossed', 0, bookOf('101x1 99x1 98x2', '101x1')],
    ['odd-number', 0, bookOf('1e-7x1 98x2', '101x1')],
  ] as const)('%s (%d)', (fault, later, expected) => {
    const corrupted = faultsAt({ now: 0 }).corrupt(fault, answerOf(book), BOOK, drawing(0, later));
    expect(JSON.parse(corrupted?.body ?? 'null')).toEqual(expected);
  });

  test('with a level that is null', () => {
    const corrupted = faultsAt({ now: 0 }).corrupt('odd-number', answerOf(book), BOOK, high);
    expect(JSON.parse(corrupted?.body ?? 'null').bids[0]).toEqual([null, '1']);
  });

  test('of another symbol', () => {
    const faults = faultsAt({ now: 0 });
    faults.pass(answerOf({ bids: [['5', '1']], asks: [] }), { ...BOOK, symbol: 'ETH/INR' });
    expect(faults.corrupt('other-symbol', answerOf(book), BOOK, low)?.body).toContain('"5"');
  });

  test('shifted prices have as many places as those of the book', () => {
    const fine = bookOf('62499.5x1', '62500.25x2');
    expect(JSON.parse(shiftedBook(JSON.stringify(fine), 0.1))).toEqual(bookOf('6249.95x1', '6250.03x2'));
  });

  test('shifted prices stay whole and above zero', () => {
    expect(JSON.parse(shiftedBook(JSON.stringify(book), 0.001))).toEqual(bookOf('1x1 1x2', '1x1'));
  });
});

describe('the wallet (F57)', () => {
  const WALLET = { endpoint: 'wallet', symbol: null, filter: '' } as const;
  const wallet = answerOf([
    { asset: 'INR', free: '5000000', locked: '0' },
    { asset: 'BTC', free: '0.5', locked: '0' },
  ]);
  const bodyOf = (answer: Response | null): unknown => JSON.parse(answer?.body ?? 'null');
  const INR = { asset: 'INR', free: '5000000', locked: '0' };
  const BTC = { asset: 'BTC', free: '0.5', locked: '0' };

  /**
   * A wallet that passes, and what becomes of it. Draws of the second stream: whether it is a later kind, and which.
   */
  function corrupted(faults: ReturnType<typeof faultsAt>, ...later: readonly number[]): unknown {
    const left = [...later];
    faults.pass(wallet, WALLET);
    return bodyOf(
      faults.corrupt('odd-wallet', wallet, WALLET, { ...always(0), later: { next: () => left.shift() ?? 0 } }),
    );
  }

  test('has an amount that is none, or one with an exponent', () => {
    const faults = faultsAt({ now: 0 });
    expect(corrupted(faults, 0.9)).toEqual([{ ...INR, free: '-0.5' }, BTC]);
    expect(corrupted(faults, 0)).toEqual([{ ...INR, free: '5e+6' }, BTC]);
  });

  test('lacks an asset, or has a hair more or less', () => {
    const lie = (which: number): unknown => {
      const faults = faultsAt({ now: 0 });
      faults.pass(wallet, WALLET);
      return corrupted(faults, 0, which);
    };
    expect(lie(0.25)).toEqual([BTC]);
    expect(lie(0.5)).toEqual([{ ...INR, free: '5000000.00000001' }, BTC]);
    expect(lie(0.75)).toEqual([{ ...INR, free: '4999999.99999999' }, BTC]);
  });

  test('never lies twice without a right one between, which one that cannot be read is not', () => {
    const faults = faultsAt({ now: 0 });
    const exponent = [{ ...INR, free: '5e+6' }, BTC];
    expect(corrupted(faults, 0, 0.25)).toEqual(exponent);
    faults.pass(wallet, WALLET);
    expect(corrupted(faults, 0, 0.25)).toEqual([BTC]);
    expect(corrupted(faults, 0, 0.25)).toEqual(exponent);
    expect(corrupted(faults, 0.9)).toEqual([{ ...INR, free: '-0.5' }, BTC]);
    expect(corrupted(faults, 0, 0.25)).toEqual(exponent);
    faults.pass(wallet, WALLET);
    expect(corrupted(faults, 0, 0.25)).toEqual([BTC]);
  });
});

describe('a row of open orders (F37)', () => {
  const row = { orderId: 'o0', symbol: 'BTC/INR', side: 'BUY', status: 'OPEN', origQty: '2', executedQty: '0' };

  test.each([
    ['is another thing', 0, { symbol: 'BTC/INR', status: 'ODD', price: null }],
    ['has a status that nobody knows', 1, { ...row, status: 'HALF_OPEN' }],
    ['has a field more', 2, { ...row, strategy: { id: 7 } }],
    ['lacks a field', 3, { ...row, side: undefined, status: 'ODD' }],
    ['has a field of another type', 4, { ...row, executedQty: ['0'], status: 'ODD' }],
    ['has no quantity', 5, { ...row, origQty: null, status: 'ODD' }],
  ])('%s', (_name, which, expected) => {
    const corrupted = faultsAt({ now: 0 }).corrupt('garbled-row', answerOf([row]), ORDERS, drawing(0, which / 6));
    expect(JSON.parse(corrupted?.body ?? '[]')).toEqual([JSON.parse(JSON.stringify(expected))]);
  });
});

test('the end of a window of the rate limit may be in milliseconds (F105)', () => {
  const answer = { ...answerOf([]), headers: { 'x-ratelimit-reset': '1767225602', 'x-ratelimit-remaining': '0' } };
  const headersOf = (of: Response, later: number) =>
    faultsAt({ now: 0 }).corrupt('odd-rate-headers', of, ORDERS, drawing(0, later))?.headers;
  expect(headersOf(answer, 0)).toEqual({ 'x-ratelimit-reset': '1767225602000', 'x-ratelimit-remaining': '0' });
  expect(headersOf(answer, 0.9)?.['x-ratelimit-reset']).toBe('');
  expect(headersOf(answerOf([]), 0)?.['x-ratelimit-reset']).toBe('');
});

test('a Date that froze stays what it was for a while (F88)', () => {
  const clock = { now: 0 };
  const faults = faultsAt(clock);
  const at = (date: string): Response => ({ ...answerOf([]), headers: { date } });
  const dateOf = (answer: Response): string | undefined =>
    faults.corrupt('no-date', answer, ORDERS, drawing(0, 0))?.headers.date;
  const first = 'Thu, 01 Jan 2026 00:00:00 GMT';
  const second = 'Thu, 01 Jan 2026 00:00:20 GMT';
  expect(dateOf(at(first))).toBe(first);
  clock.now = 30 * MINUTE;
  expect(dateOf(at(second))).toBe(first);
  clock.now += 1;
  expect(dateOf(at(second))).toBe(second);
});

test('the Date may be missing, ahead or behind', () => {
  const faults = faultsAt({ now: 0 });
  const dateOf = (draw: number): string | undefined =>
    faults.corrupt('no-date', answerOf([]), ORDERS, drawing(draw, 0.999))?.headers.date;
  expect([dateOf(0), dateOf(0.5), dateOf(0.9)]).toEqual([
    undefined,
    'Thu, 01 Jan 2026 00:00:20 GMT',
    'Wed, 31 Dec 2025 23:59:40 GMT',
  ]);
});
