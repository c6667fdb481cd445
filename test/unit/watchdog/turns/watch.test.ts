// Each conclusion of the watchdog by itself: one state, one input, and everything that is said and done about it.
import { describe, expect, test } from '@jest/globals';
import type { Lease } from '../../../../src/ports/lease.ts';
import { noOrders, type OwnOrders, take } from '../../../../src/watchdog/own-orders.ts';
import { apply, startWatch } from '../../../../src/watchdog/watch.ts';
import type { Evidence, Turn, WatchSettings, WatchState } from '../../../../src/watchdog/watch-state.ts';
import { create, SETTINGS } from '../watch-world.ts';

const WALL = 1_800_000_000_000;
const at = (mono: number) => ({ wall: WALL + mono, mono });
const GONE = { process: 'gone', folderHeld: false } as const;
const RUNNING = { process: 'running', folderHeld: false } as const;
const HELD = { process: 'gone', folderHeld: true } as const;

function openOrders(): OwnOrders {
  const orders = noOrders(null);
  take(orders, { kind: 'sent', intentId: 'i', create: create() });
  return orders;
}

const evidenceOf = (changes: Partial<Evidence> = {}): Evidence => ({
  ...{ orders: noOrders(null), damaged: null, latched: null, mayRearm: false, bot: GONE },
  ...changes,
});
const leaseOf = (changes: Partial<Lease> = {}): Lease => ({
  ...{ seq: 1, cycles: 1, at: WALL, ended: false },
  process: { pid: 100, startedAt: '1', bootId: 'boot' },
  ...changes,
});

/** A watchdog that has looked once at moment 0 and found nothing. */
function watching(changes: Partial<WatchState> = {}, settings: Partial<WatchSettings> = {}): WatchState {
  const begun = apply(startWatch({ ...SETTINGS, ...settings }, at(0)), { kind: 'look', lease: null }, at(0));
  const state = apply(begun.state, { kind: 'evidence', evidence: evidenceOf() }, at(0)).state;
  return { ...state, ...changes };
}

const look = (state: WatchState, lease: Lease | null, mono: number): Turn =>
  apply(state, { kind: 'look', lease }, at(mono));
const judge = (state: WatchState, evidence: Partial<Evidence>, mono = 45_500): Turn =>
  apply({ ...state, phase: 'deciding' }, { kind: 'evidence', evidence: evidenceOf(evidence) }, at(mono));

describe('the time to live', () => {
  test('is over when it has passed, not when it is reached', () => {
    const state = watching({ lookedAt: 44_900 });
    expect(look(state, null, 45_000)).toMatchObject({ state: { phase: 'watching', lookedAt: 45_000 }, effects: [] });
    expect(look(state, null, 45_001)).toMatchObject({ state: { phase: 'deciding' }, effects: [{ kind: 'gather' }] });
  });

  test('begins anew where nobody looked for more than half of it', () => {
    const state = watching({ lookedAt: 30_000 });
    expect(look(state, null, 52_500).effects).toEqual([{ kind: 'gather' }]);
    const stalled = look(state, null, 52_501);
    expect(stalled.state).toMatchObject({ phase: 'watching', beatAt: 52_501, lookedAt: 52_501 });
    const message = 'The watchdog itself did not look for 22.5 s: the bot gets its time anew.';
    expect(stalled.effects).toEqual([{ kind: 'tell', level: 'warn', op: 'watching', message }]);
  });

  test('is looked at again as often as is configured', () => {
    expect(look(watching(), null, 1_000).wakeAt).toBe(1_500);
  });

  test('goes on while something else than a look comes', () => {
    const state = watching();
    expect(apply(state, { kind: 'bot', bot: GONE }, at(90_000))).toEqual({ state, effects: [], wakeAt: 90_500 });
    const deciding = { ...state, phase: 'deciding' } as const;
    expect(look(deciding, null, 90_000)).toEqual({ state: deciding, effects: [], wakeAt: 90_500 });
    const done = { ...state, phase: 'done' } as const;
    expect(look(done, leaseOf(), 90_000)).toEqual({ state: done, effects: [], wakeAt: 90_500 });
  });
});

describe('a sign of life', () => {
  const known = (lease: Lease | null = leaseOf()): WatchState => watching({ lease, lookedAt: 900 });

  test('is a lease that was written since the last look', () => {
    const { state, effects } = look(known(), leaseOf({ seq: 2, cycles: 2 }), 1_000);
    expect(state).toMatchObject({ lived: true, beatAt: 1_000 });
    const message = 'The bot lives (process 100); from now on it must show progress every 45.0 s.';
    expect(effects).toEqual([{ kind: 'tell', level: 'info', op: 'bot-lives', message }]);
    expect(look({ ...state, lookedAt: 1_900 }, leaseOf({ seq: 3, cycles: 3 }), 2_000)).toMatchObject({
      state: { beatAt: 2_000 },
      effects: [],
    });
  });

  test('is one where none was', () => {
    expect(look(known(null), leaseOf(), 1_000).state).toMatchObject({ lived: true, beatAt: 1_000 });
  });

  test.each<[string, Partial<Lease>]>([
    ['another process', { process: { pid: 101, startedAt: '1', bootId: 'boot' } }],
    ['the same number, born later', { process: { pid: 100, startedAt: '2', bootId: 'boot' } }],
  ])('is that of %s', (_what, changes) => {
    expect(look(known(), leaseOf(changes), 1_000).state.beatAt).toBe(1_000);
  });

  test('is none as it was before, though it now says why it is withheld', () => {
    const withheld = leaseOf({ withheld: 'The disk is full.' });
    expect(look(known(), withheld, 1_000).state).toMatchObject({ lived: false, beatAt: 0, lease: withheld });
    const same = known();
    expect(look(same, leaseOf(), 1_000).state.lease).toBe(same.lease);
  });

  test('is none of a bot that has only begun', () => {
    const begun = leaseOf({ seq: 9, cycles: 0 });
    expect(look(known(), begun, 1_000)).toMatchObject({
      state: { lived: false, beatAt: 0, lease: begun },
      effects: [],
    });
  });

  test('is none where the lease cannot be read; the last one is kept', () => {
    const state = known();
    expect(look(state, null, 1_000).state).toMatchObject({ lived: false, beatAt: 0, lease: state.lease });
  });

  test('is a baseline at the first look', () => {
    const starting = startWatch(SETTINGS, at(0));
    expect(apply(starting, { kind: 'look', lease: leaseOf() }, at(10))).toMatchObject({
      state: { phase: 'starting', lived: false, beatAt: 0 },
      effects: [{ kind: 'gather' }],
    });
    expect(look({ ...watching(), lease: undefined }, leaseOf(), 1_000).state).toMatchObject({
      lived: false,
      beatAt: 0,
    });
  });

  test('is the last one where the bot says that it has ended', () => {
    const { state, effects } = look({ ...known(), lived: true }, leaseOf({ ended: true }), 1_000);
    expect(state).toMatchObject({ lived: false, beatAt: 1_000 });
    const message = 'The bot has ended, no order of it is open.';
    expect(effects).toEqual([{ kind: 'tell', level: 'info', op: 'bot-ended', message }]);
  });
});

describe('an exchange that does not answer a bot that lives', () => {
  const said = (silentSince: number | null, because: string | null = null): Partial<Lease> => ({
    contact: { usedAt: null, silentSince, because },
  });
  const renewed = (state: Partial<WatchState>, lease: Partial<Lease>, mono: number): Turn =>
    look(watching({ lease: leaseOf(), lived: true, lookedAt: mono, ...state }), leaseOf({ seq: 2, ...lease }), mono);

  test('is told from half the time to live on', () => {
    expect(renewed({}, said(WALL + 1), 22_500)).toMatchObject({ state: { silentSince: null }, effects: [] });
    const { state, effects } = renewed({}, said(WALL, 'HTTP 502.'), 22_500);
    expect(state.silentSince).toBe(WALL);
    const message =
      'The bot lives and goes on trying; the exchange has not answered it for 22.5 s. HTTP 502. ' +
      'Its orders may rest at prices that nobody can move.';
    expect(effects).toEqual([{ kind: 'tell', level: 'error', op: 'exchange-silent', message }]);
  });

  test('is told without a reason where the bot names none', () => {
    const [told] = renewed({}, said(WALL), 30_000).effects;
    expect(told).toMatchObject({
      message:
        'The bot lives and goes on trying; the exchange has not answered it for 30.0 s. ' +
        'Its orders may rest at prices that nobody can move.',
    });
  });

  test('is told once, and again when it answers', () => {
    expect(renewed({ silentSince: WALL }, said(WALL), 30_000)).toMatchObject({
      state: { silentSince: WALL },
      effects: [],
    });
    const { state, effects } = renewed({ silentSince: WALL }, {}, 30_000);
    expect(state.silentSince).toBeNull();
    const message = 'The exchange answers the bot again, after 30.0 s.';
    expect(effects).toEqual([{ kind: 'tell', level: 'info', op: 'exchange-answers', message }]);
    expect(renewed({}, {}, 30_000).effects).toEqual([]);
  });
});

describe('when the time is over, the watchdog acts', () => {
  const silent = 'The bot has shown no progress for 45.5 s (at most 45.0 s).';
  const expectAct = (turn: Turn, reason: string): void => {
    expect(turn.state).toMatchObject({
      phase: 'latching',
      kill: { reason, actedAt: 45_500, isLatched: false, latchTriedAt: 45_500, end: null, sweep: null },
    });
    expect(turn.effects).toEqual([
      { kind: 'tell', level: 'error', op: 'lease-expired', message: reason },
      { kind: 'latch', reason: `The watchdog: ${reason}` },
    ]);
  };

  test.each([
    ['running', RUNNING],
    ['gone', GONE],
  ])('where orders may be open, with the bot %s', (_what, bot) => {
    expectAct(judge(watching(), { orders: openOrders(), bot }), `${silent} 1 of its orders may be open.`);
  });

  test('where the file of own orders is damaged', () => {
    expectAct(judge(watching(), { damaged: 'Line 3 is damaged.' }), `${silent} Line 3 is damaged.`);
  });

  test.each([
    ['runs', RUNNING],
    ['is not seen, and its folder is held', HELD],
  ])('where a bot that lived %s: it could open something', (_what, bot) => {
    expectAct(judge(watching({ lived: true }), { bot }), `${silent} 0 of its orders may be open.`);
  });

  test('and names what the bot itself said', () => {
    const lease = leaseOf({ withheld: 'The disk is full.' });
    expectAct(
      judge(watching({ lease }), { orders: openOrders() }),
      `${silent} It says why: The disk is full. 1 of its orders may be open.`,
    );
  });

  test('where a latch of a watchdog may be taken off again, which takes a proof', () => {
    const state = watching({}, { rearm: 'after-proof' });
    expectAct(
      judge(state, { latched: 'Silence.', mayRearm: true }),
      'The kill latch is set (Silence.) and nobody is there. 0 of its orders may be open.',
    );
  });
});

describe('when the time is over, nothing is done', () => {
  test('where nothing is open and nobody is there: it is told once, and the bot is waited for', () => {
    const turn = judge(watching({ lived: true }), {});
    expect(turn.state).toMatchObject({ phase: 'watching', lived: false, beatAt: 45_500 });
    const message = 'The bot is gone without a word, but no order of it is open: waiting for it.';
    expect(turn.effects).toEqual([{ kind: 'tell', level: 'warn', op: 'bot-gone', message }]);
    expect(judge(watching(), {}).effects).toEqual([]);
  });

  test('where a bot runs that has never lived, with nothing open', () => {
    expect(judge(watching(), { bot: RUNNING })).toMatchObject({ state: { phase: 'watching' }, effects: [] });
  });

  test.each<[string, Partial<WatchSettings>, boolean]>([
    ['a person takes the latch off', { rearm: 'by-person' }, true],
    ['the latch is not one of a watchdog', { rearm: 'after-proof' }, false],
  ])('where the latch is set, nothing is open, and %s', (_what, settings, mayRearm) => {
    const turn = judge(watching({}, settings), { latched: 'Silence.', mayRearm });
    expect(turn.state.phase).toBe('done');
    const message = 'The kill latch is set (Silence.) and no order of the bot is open: nothing is to be done.';
    expect(turn.effects).toEqual([
      { kind: 'tell', level: 'info', op: 'watching', message },
      { kind: 'end', flat: true },
    ]);
  });
});

describe('a start', () => {
  const start = (evidence: Partial<Evidence>, settings: Partial<WatchSettings> = {}): Turn =>
    apply(
      startWatch({ ...SETTINGS, ...settings }, at(0)),
      { kind: 'evidence', evidence: evidenceOf(evidence) },
      at(700),
    );

  test('without a latch begins to watch, whatever is open', () => {
    expect(start({ orders: openOrders() })).toMatchObject({
      state: { phase: 'watching', lookedAt: 700, beatAt: 0 },
      effects: [],
    });
  });

  test.each([
    ['runs', RUNNING],
    ['holds its folder', HELD],
  ])('with a latch leaves a bot alone that %s', (_what, bot) => {
    expect(start({ latched: 'Silence.', orders: openOrders(), bot })).toMatchObject({
      state: { phase: 'watching' },
      effects: [],
    });
  });

  test.each<[string, Partial<Evidence>, string]>([
    ['orders are open', { orders: openOrders() }, '1 of its orders may be open.'],
    ['the file is damaged', { damaged: 'Line 3 is damaged.' }, 'Line 3 is damaged.'],
  ])('with a latch acts at once where %s and nobody is there', (_what, evidence, open) => {
    const reason = `The kill latch is set (Silence.) and nobody is there. ${open}`;
    expect(start({ latched: 'Silence.', ...evidence }).effects).toEqual([
      { kind: 'tell', level: 'error', op: 'lease-expired', message: reason },
      { kind: 'latch', reason: `The watchdog: ${reason}` },
    ]);
  });

  test('with a latch and nothing open ends, unless it may take the latch off', () => {
    const rearm = { rearm: 'after-proof' } as const;
    expect(start({ latched: 'Silence.' }).state.phase).toBe('done');
    expect(start({ latched: 'Silence.' }, rearm).state.phase).toBe('done');
    expect(start({ latched: 'Silence.', mayRearm: true }).state.phase).toBe('done');
    expect(start({ latched: 'Silence.', mayRearm: true }, rearm).state.phase).toBe('latching');
  });

  test('waits for what it asked', () => {
    const state = startWatch(SETTINGS, at(0));
    expect(apply(state, { kind: 'bot', bot: GONE }, at(700))).toEqual({ state, effects: [], wakeAt: 1_200 });
  });
});

describe('the re-arming', () => {
  const state = watching({ phase: 'rearming', lived: true, lease: leaseOf(), silentSince: WALL });

  test('begins the watch anew, with the lease that was there', () => {
    const turn = apply(state, { kind: 'rearmed', today: 2, mostPerDay: 3 }, at(9_000));
    expect(turn.state).toEqual({
      ...startWatch(SETTINGS, at(9_000)),
      phase: 'watching',
      lease: leaseOf(),
    });
    const message = 'Re-armed, 2 of at most 3 times today: the kill latch is off, the bot may start.';
    expect(turn.effects).toEqual([{ kind: 'tell', level: 'info', op: 'rearmed', message }]);
  });

  test('that was not done ends the watch, flat', () => {
    const turn = apply(state, { kind: 'kept', why: 'It was done three times today.' }, at(9_000));
    expect(turn.state.phase).toBe('done');
    const message = 'The kill latch is left to `quotekeeper rearm`: It was done three times today.';
    expect(turn.effects).toEqual([
      { kind: 'leave-to-person', why: 'It was done three times today.' },
      { kind: 'tell', level: 'error', op: 'not-rearmed', message },
      { kind: 'end', flat: true },
    ]);
  });

  test('is waited for', () => {
    expect(look(state, leaseOf(), 9_000)).toEqual({ state, effects: [], wakeAt: 9_500 });
  });
});
