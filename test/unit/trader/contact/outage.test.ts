// While own orders rest and nothing answers: what leaves, and what happens with the first answer.
import { describe, expect, test } from '@jest/globals';
import { deskSettings } from '../desk-settings.ts';
import { type Desk, ops, quotingDesk } from '../trader-kit.ts';

type Fail = (kind: string) => unknown;

const fault = (reason: 'timeout' | 'status', status?: number) => ({
  sent: true,
  reason,
  detail: `It ended with ${reason}.`,
  ...(status !== undefined && { status }),
});
const isWrite = (kind: string): boolean => kind === 'create' || kind.startsWith('cancel');
const lost: Fail = (kind) => ({ kind: isWrite(kind) ? 'unknown' : 'failed', fault: fault('timeout') });
const gateway =
  (desk: Desk): Fail =>
  (kind) =>
    isWrite(kind)
      ? { kind: 'unknown', fault: fault('status', 503) }
      : { kind: 'throttled', status: 503, retryAt: desk.now() };

const cut = (desk: Desk, fail: Fail): void => {
  desk.reply = ({ kind }) => fail(kind) as never;
};

/** The longest time between two requests of a kind, from `from` on. */
function longestGap(desk: Desk, from: number, fits: (kind: string) => boolean): number {
  const at = desk.sent.filter((each) => each.at >= from && fits(each.chosen.request.kind)).map((each) => each.at);
  return Math.max(...[...at.slice(1), desk.now()].map((moment, index) => moment - (at[index] ?? from)));
}

const isCancel = (kind: string): boolean => kind.startsWith('cancel');
const isRequest = (): boolean => true;

describe.each(['ignore', 'refuse'] as const)('an outage of ten minutes (foreignOrders: %s)', (foreignOrders) => {
  test.each([
    ['timeouts', () => lost],
    ["a gateway's 503", gateway],
  ] as const)(
    'of %s: a request every five seconds, cancels among them, and the first answer moves the quotes',
    (_name, failOf) => {
      const desk = quotingDesk(deskSettings({ foreignOrders }));
      const from = desk.now();
      cut(desk, failOf(desk));
      desk.run(600_000);
      expect(longestGap(desk, from, isRequest)).toBeLessThanOrEqual(5_100);
      // Once the book is too old to quote by, orders are to go.
      expect(longestGap(desk, from + 20_000, isCancel)).toBeLessThanOrEqual(5_100);
      expect(longestGap(desk, from + 20_000, (kind) => kind === 'order-book')).toBeLessThanOrEqual(5_100);
      const before = desk.shows.orders.map(({ orderId }) => orderId);
      expect(before).toHaveLength(2);
      desk.reply = () => undefined;
      desk.run(5_200);
      expect(desk.shows.orders.filter(({ orderId }) => before.includes(orderId))).toEqual([]);
      expect(ops(desk)).toEqual(expect.arrayContaining(['not-responding', 'exchange-answers']));
      expect(desk.notices.filter(({ op }) => op === 'not-responding')).toHaveLength(1);
    },
  );
});

test('behind which nothing comes back cancels are repeated after five seconds; what is late does no harm', () => {
  const desk = quotingDesk();
  desk.tell({ kind: 'stop' });
  desk.reply = () => null;
  const from = desk.now();
  desk.run(60_000);
  expect(longestGap(desk, from, isCancel)).toBeLessThanOrEqual(5_100);
  desk.reply = () => undefined;
  desk.run(5_200);
  expect(desk.shows.orders).toEqual([]);
  for (const chosen of [...desk.held]) desk.answer(chosen, lost(chosen.request.kind) as never);
  desk.run(40_000);
  expect(desk.state().phase).toBe('stopped');
});

test('a book that was given up on does not take the place of the newer one', () => {
  const desk = quotingDesk();
  desk.reply = ({ kind }) => (kind === 'order-book' ? null : undefined);
  desk.run(6_500);
  const [old, newer] = desk.held.filter(({ request }) => request.kind === 'order-book');
  if (old === undefined || newer === undefined) throw new Error('The book was not asked for twice.');
  desk.answer(newer);
  const { book, sentAt } = desk.state().markets.get('BTC/INR')?.book ?? {};
  desk.shows.books = { 'BTC/INR': [50_000, 51_000] };
  desk.answer(old);
  expect(desk.state().markets.get('BTC/INR')?.book).toMatchObject({ book, sentAt });
});

describe('where only private requests fail', () => {
  test('cancels are most of what leaves, and every fourth is a read, which alone shows that reads are answered', () => {
    const desk = quotingDesk(deskSettings({ requestsPerSecond: { public: 10, private: 0.4 } }));
    desk.tell({ kind: 'stop' });
    desk.reply = ({ kind }) => (kind === 'order-book' ? undefined : (lost(kind) as never));
    desk.run(120_000, 2_500);
    const kinds = desk.sent.slice(-16).map(({ chosen }) => chosen.request.kind);
    const left = kinds.filter((kind) => kind !== 'order-book');
    expect(left.filter(isCancel).length).toBeGreaterThanOrEqual(left.length / 2);
    expect(left.some((kind) => !isCancel(kind))).toBe(true);
  });

  test('a wait that a gateway names is obeyed by reads, not by cancels, and ends with the first answer', () => {
    const desk = quotingDesk();
    desk.tell({ kind: 'stop' });
    const from = desk.now();
    desk.extraFacts = { status: 503, rateLimit: { retryAfter: 300_000 } };
    cut(desk, gateway(desk));
    desk.run(120_000);
    expect(longestGap(desk, from, isCancel)).toBeLessThanOrEqual(5_100);
    expect(longestGap(desk, from + 1_000, (kind) => !isCancel(kind))).toBeGreaterThan(100_000);
    desk.extraFacts = {};
    desk.reply = () => undefined;
    desk.run(40_000);
    expect(desk.state().phase).toBe('stopped');
  });
});

test('one endpoint that fails for itself rests ever longer: the others answer', () => {
  const desk = quotingDesk();
  desk.reply = ({ kind }) => (kind === 'wallet' ? (lost(kind) as never) : undefined);
  desk.run(300_000);
  const at = desk.sent.filter(({ chosen }) => chosen.request.kind === 'wallet').map((each) => each.at);
  expect((at.at(-1) ?? 0) - (at.at(-2) ?? 0)).toBeGreaterThan(25_000);
  expect(ops(desk)).not.toContain('not-responding');
});
