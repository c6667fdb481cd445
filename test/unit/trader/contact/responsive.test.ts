// Whether the exchange answers: what counts as an answer, how soon a silence shows, and what leaves meanwhile.
import { describe, expect, test } from '@jest/globals';
import {
  contactView,
  notResponding,
  readsAnsweredSince,
  withAnswer,
  withoutAnswer,
} from '../../../../src/trader/contact/responsive.ts';
import { startContact } from '../../../../src/trader/state/session.ts';
import { marketOf } from '../../../../src/trader/state/state.ts';
import { takeSnapshot } from '../../../../src/trader/status/snapshot.ts';
import { kindOf } from '../../refused.ts';
import { BTC, deskSettings } from '../desk-settings.ts';
import { type Desk, ops, quotingDesk, rejected } from '../trader-kit.ts';

const fault = (reason: 'timeout' | 'reset' | 'status', status?: number, code?: number) => ({
  kind: 'failed' as const,
  fault: {
    sent: true,
    reason,
    detail: `It ended with ${reason}.`,
    ...(status !== undefined && { status }),
    ...(code !== undefined && { code, refusal: kindOf(code) }),
  },
});

/** What every request ends with while the line is cut. */
const cutOff =
  (reason: 'timeout' | 'reset'): Desk['reply'] =>
  ({ kind }) => {
    const failed = fault(reason);
    return kind === 'create' || kind === 'cancel' ? { ...failed, kind: 'unknown' } : failed;
  };

const throttled = (status: number, desk: Desk, code?: number) => ({
  kind: 'throttled' as const,
  status,
  retryAt: desk.now() + 1_000,
  ...(code !== undefined && { code, refusal: kindOf(code) }),
});

const ANSWERING = { public: 'answers', private: 'answers' };
const SILENT = { public: 'silent', private: 'silent' };

describe('a silence', () => {
  test.each([
    ['a timeout', 'silent', () => fault('timeout')],
    ['a reset', 'silent', () => fault('reset')],
    ["a gateway's page", 'silent', () => fault('status', 502)],
    ['too many requests', 'refuses', (desk: Desk) => throttled(429, desk)],
    ['a failure with a code of its own', 'refuses', () => fault('status', 500, -5010)],
    ['no availability', 'silent', (desk: Desk) => throttled(503, desk)],
    ['maintenance', 'silent', (desk: Desk) => throttled(503, desk, -1125)],
  ] as const)('of nothing but %s shows within two polling intervals', (_name, how, answer) => {
    const desk = quotingDesk();
    desk.run(5_000);
    expect(notResponding(desk.state(), desk.now())).toBe(false);
    const before = contactView(desk.state(), desk.now());
    expect(before).toMatchObject({ silentSince: null, probes: 0, lanes: ANSWERING, because: null });
    const cut = desk.now();
    desk.reply = () => answer(desk) as never;
    desk.run(3_000);
    expect(notResponding(desk.state(), desk.now())).toBe(true);
    const shown = takeSnapshot(desk.state(), desk.now()).contact;
    expect(shown.usedAt).toBeLessThanOrEqual(cut);
    expect(shown.silentSince).toBeGreaterThanOrEqual(cut);
    expect(shown.silentSince).toBeLessThanOrEqual(cut + 1_000);
    expect(shown.lanes).toEqual({ public: how, private: how });
    expect(shown.probes).toBeGreaterThan(0);
    expect(shown.because).not.toBeNull();
  });

  test('of each lane has its own length', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    const cut = desk.now();
    desk.reply = (request) => (request.kind === 'order-book' ? undefined : cutOff('timeout')(request));
    desk.run(20_000);
    desk.reply = cutOff('timeout');
    desk.run(10_000);
    const { silentSince, silentSinceBy } = contactView(desk.state(), desk.now());
    expect(silentSinceBy.private).toBe(silentSince);
    expect(silentSinceBy.private).toBeLessThan(cut + 5_000);
    expect(silentSinceBy.public).toBeGreaterThanOrEqual(cut + 20_000);
  });

  test('in which nothing comes back at all shows while the first requests still wait', () => {
    const desk = quotingDesk();
    desk.run(5_000);
    const cut = desk.now();
    desk.reply = () => null;
    desk.run(3_100);
    expect(desk.held.length).toBeGreaterThan(0);
    expect(contactView(desk.state(), desk.now())).toMatchObject({ lanes: SILENT, because: null });
    expect(contactView(desk.state(), desk.now()).silentSince).toBeLessThanOrEqual(cut + 1_000);
  });

  test('is over with the first answer, a refusal of just that question included', () => {
    const desk = quotingDesk();
    desk.reply = cutOff('reset');
    desk.run(20_000);
    desk.reply = ({ kind }) => (kind === 'order-book' ? undefined : (rejected(-1109, 400) as never));
    desk.run(20_000);
    expect(contactView(desk.state(), desk.now())).toMatchObject({ silentSince: null, probes: 0, because: null });
  });

  test('does not include a refused key: that is an answer, if a useless one', () => {
    const desk = quotingDesk();
    const { usedAt } = desk.state().contact.private;
    desk.reply = ({ kind }) => (kind === 'order-book' ? undefined : (rejected(-2015, 403) as never));
    desk.run(20_000);
    expect(notResponding(desk.state(), desk.now())).toBe(false);
    expect(desk.state().contact.private.usedAt).toBeLessThanOrEqual((usedAt ?? 0) + 1_000);
  });
});

test('one request that hangs while later ones are answered is no silence', () => {
  const desk = quotingDesk();
  let reads = 0;
  desk.reply = ({ kind }) => {
    if (kind === 'wallet') reads += 1;
    return kind === 'wallet' && reads === 1 ? null : undefined;
  };
  for (let tenths = 0; tenths < 300; tenths += 1) {
    desk.run(100);
    expect(notResponding(desk.state(), desk.now())).toBe(false);
  }
  expect(desk.held).toHaveLength(1);
});

test('one lost answer among others is no silence', () => {
  const desk = quotingDesk();
  let lost = 0;
  desk.reply = (request) => {
    lost += 1;
    return lost % 5 === 0 ? cutOff('timeout')(request) : undefined;
  };
  for (let tenths = 0; tenths < 300; tenths += 1) {
    desk.run(100);
    expect(notResponding(desk.state(), desk.now())).toBe(false);
  }
});

test('a request that left before the last answer came proves nothing about the time after it', () => {
  const answered = withAnswer(startContact(0), { used: true, arrivedAt: 5_000 });
  expect(withoutAnswer(answered, { leftAt: 4_000, because: 'Late.' }).silentSince).toBeNull();
  expect(withoutAnswer(answered, { leftAt: 6_000, because: 'Lost.' }).silentSince).toBe(6_000);
});

test('reads count separately: an accepted cancel shows nothing', () => {
  const desk = quotingDesk();
  desk.reply = (request) =>
    request.kind === 'cancel' || request.kind === 'order-book' ? undefined : cutOff('timeout')(request);
  desk.tell({ kind: 'pause', reason: 'Nobody watches.' });
  desk.run(30_000);
  expect(readsAnsweredSince(desk.state(), desk.now())).toBeNull();
  desk.reply = () => undefined;
  desk.run(31_000);
  expect(readsAnsweredSince(desk.state(), desk.now())).toBeGreaterThan(desk.now() - 31_000);
});

// One lane is silent while the other one answers: its own first answer ends that, and nothing of the other lane's does.

test.each([
  ['private', 'public'],
  ['public', 'private'],
] as const)('the %s lane', (silent, other) => {
  const desk = quotingDesk();
  const fault = { sent: true, reason: 'timeout', detail: 'Nothing came back.' } as const;
  const isSilent = (kind: string): boolean => (kind === 'order-book') === (silent === 'public');
  desk.reply = ({ kind }) => {
    if (!isSilent(kind)) return undefined;
    return { kind: kind === 'create' || kind.startsWith('cancel') ? 'unknown' : 'failed', fault };
  };
  desk.run(60_000);
  const { contact, wallet } = desk.state();
  const surface = silent === 'public' ? marketOf(desk.state(), BTC).book : wallet;
  expect(surface.failures).toBeGreaterThan(2);
  expect([contact[silent].againAt, contact[other].againAt]).toEqual([null, null]);
  const from = desk.now();
  desk.reply = () => undefined;
  desk.run(6_000);
  const { contact: now } = desk.state();
  expect(now[silent].againAt).toBeGreaterThanOrEqual(from);
  expect(now[other].againAt).toBeNull();
  expect(surface.failures).toBe(0);
  expect(now[silent].silentSince).toBeNull();
});

describe('while own orders rest and nothing answers', () => {
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
    ] as const)('of %s: a request every five seconds, and the first answer moves the quotes', (_name, failOf) => {
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
    });
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

  test('an abandoned book does not replace the newer one', () => {
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

  describe('if only private requests fail', () => {
    test('most requests are cancels, and every fourth is a read, which alone shows that reads are answered', () => {
      const desk = quotingDesk(deskSettings({ requestsPerSecond: { public: 10, private: 0.4 } }));
      desk.tell({ kind: 'stop' });
      desk.reply = ({ kind }) => (kind === 'order-book' ? undefined : (lost(kind) as never));
      desk.run(120_000, 2_500);
      const kinds = desk.sent.slice(-16).map(({ chosen }) => chosen.request.kind);
      const left = kinds.filter((kind) => kind !== 'order-book');
      expect(left.filter(isCancel).length).toBeGreaterThanOrEqual(left.length / 2);
      expect(left.some((kind) => !isCancel(kind))).toBe(true);
    });

    test("reads obey a wait that a gateway names, cancels don't, and it ends with the first answer", () => {
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

  test('a single failing endpoint rests ever longer while the others answer', () => {
    const desk = quotingDesk();
    desk.reply = ({ kind }) => (kind === 'wallet' ? (lost(kind) as never) : undefined);
    desk.run(300_000);
    const at = desk.sent.filter(({ chosen }) => chosen.request.kind === 'wallet').map((each) => each.at);
    expect((at.at(-1) ?? 0) - (at.at(-2) ?? 0)).toBeGreaterThan(25_000);
    expect(ops(desk)).not.toContain('not-responding');
  });
});
