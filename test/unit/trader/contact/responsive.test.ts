// Whether the exchange answers: what counts as an answer, and how soon a silence shows.
import { describe, expect, test } from '@jest/globals';
import {
  contactView,
  notResponding,
  readsAnsweredSince,
  withAnswer,
  withoutAnswer,
} from '../../../../src/trader/contact/responsive.ts';
import { startContact } from '../../../../src/trader/state/session.ts';
import { takeSnapshot } from '../../../../src/trader/status/snapshot.ts';
import { type Desk, quotingDesk, rejected } from '../trader-kit.ts';

const fault = (reason: 'timeout' | 'reset' | 'status', status?: number, code?: number) => ({
  kind: 'failed' as const,
  fault: {
    sent: true,
    reason,
    detail: `It ended with ${reason}.`,
    ...(status !== undefined && { status }),
    ...(code !== undefined && { code }),
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
  ...(code !== undefined && { code }),
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

  test('of each lane is as long as its own, for who watches the lanes apart', () => {
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

  test('of one lane is named', () => {
    const desk = quotingDesk();
    desk.reply = (request) => (request.kind === 'order-book' ? undefined : cutOff('timeout')(request));
    desk.run(5_000);
    expect(contactView(desk.state(), desk.now()).lanes).toEqual({ public: 'answers', private: 'silent' });
    expect(contactView(desk.state(), desk.now()).usedAt).toBeGreaterThan(desk.now() - 1_500);
  });

  test('is over with the first answer, a refusal of just that question included', () => {
    const desk = quotingDesk();
    desk.reply = cutOff('reset');
    desk.run(20_000);
    desk.reply = ({ kind }) => (kind === 'order-book' ? undefined : (rejected(-1109, 400) as never));
    desk.run(20_000);
    expect(contactView(desk.state(), desk.now())).toMatchObject({ silentSince: null, probes: 0, because: null });
  });

  test('is not what a refused key is: that is an answer, of no use', () => {
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

test('one answer that got lost among others is no silence', () => {
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

test('what left before the last answer came says nothing of the time after it', () => {
  const answered = withAnswer(startContact(0), { used: true, arrivedAt: 5_000 });
  expect(withoutAnswer(answered, { leftAt: 4_000, because: 'Late.' }).silentSince).toBeNull();
  expect(withoutAnswer(answered, { leftAt: 6_000, because: 'Lost.' }).silentSince).toBe(6_000);
});

test('reads count apart: a cancel that is taken shows nobody anything', () => {
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
