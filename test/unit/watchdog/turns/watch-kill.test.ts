// From the latch to the proof, one input at a time: what is said, what is done, and what the end says.
import { describe, expect, test } from '@jest/globals';
import { orderId } from '../../../../src/domain/ids.ts';
import { noOrders, type OwnOrders, take } from '../../../../src/watchdog/own-orders.ts';
import { intervalOf } from '../../../../src/watchdog/sweep-state.ts';
import { apply, startWatch } from '../../../../src/watchdog/watch.ts';
import { leftOf } from '../../../../src/watchdog/watch-kill.ts';
import type {
  BotSight,
  KillState,
  Turn,
  WatchInput,
  WatchSettings,
  WatchState,
} from '../../../../src/watchdog/watch-state.ts';
import { create, SETTINGS } from '../watch-world.ts';

const WALL = 1_800_000_000_000;
const at = (mono: number) => ({ wall: WALL + mono, mono });
const GONE: BotSight = { process: 'gone', folderHeld: false };
const RUNNING: BotSight = { process: 'running', folderHeld: true };
const TERM_AT = 50_000;

function ordersOf(...names: readonly (string | null)[]): OwnOrders {
  const orders = noOrders(null);
  for (const [index, name] of names.entries()) {
    take(orders, { kind: 'sent', intentId: `i-${index}`, create: create({ horizon: WALL - 100_000 }) });
    if (name !== null) take(orders, { kind: 'named', intentId: `i-${index}`, orderId: orderId(name) });
  }
  return orders;
}

function killing(kill: Partial<KillState>, more: Partial<WatchState> = {}, settings: Partial<WatchSettings> = {}) {
  const state = startWatch({ ...SETTINGS, ...settings }, at(0));
  const begun: KillState = {
    ...{ reason: 'Silence.', orders: ordersOf('1-1-1'), damaged: null, actedAt: 45_000, isLatched: false },
    ...{ latchTriedAt: 45_000, end: null, sweep: null },
    ...kill,
  };
  return { ...state, phase: 'latching', kill: begun, ...more } satisfies WatchState;
}

const ended = { termAt: TERM_AT, killedAt: null, isGone: false };
const ending = (kill: Partial<KillState> = {}, settings: Partial<WatchSettings> = {}): WatchState =>
  killing({ isLatched: true, end: ended, ...kill }, { phase: 'ending' }, settings);
const see = (state: WatchState, bot: BotSight, mono: number): Turn => apply(state, { kind: 'bot', bot }, at(mono));
const messages = ({ effects }: Turn): string[] =>
  effects.flatMap((effect) => (effect.kind === 'tell' ? [`${effect.level} ${effect.op}: ${effect.message}`] : []));
const kinds = ({ effects }: Turn): string[] => effects.map(({ kind }) => kind);

describe('the latch', () => {
  const latched = (failure: string | null, state: WatchState = killing({})): Turn =>
    apply(state, { kind: 'latched', failure }, at(TERM_AT));

  test('that is written is followed by SIGTERM and a look', () => {
    const turn = latched(null);
    expect(turn.state).toMatchObject({
      phase: 'ending',
      kill: { isLatched: true, latchTriedAt: TERM_AT, end: { termAt: TERM_AT, killedAt: null, isGone: false } },
    });
    const message = 'The kill latch is set: nothing is created any more.';
    expect(turn.effects).toEqual([
      { kind: 'tell', level: 'warn', op: 'latched', message },
      { kind: 'signal', signal: 'SIGTERM' },
      { kind: 'look-at-bot' },
    ]);
  });

  test('that cannot be written ends the bot all the same', () => {
    const turn = latched('The disk is full.');
    expect(turn.state.kill).toMatchObject({ isLatched: false, latchTriedAt: TERM_AT });
    expect(messages(turn)).toEqual(['error latch-failed: The disk is full. Going on without: the bot is ended.']);
    expect(kinds(turn)).toEqual(['tell', 'signal', 'look-at-bot']);
  });

  test('that is written late does not give the bot its grace anew', () => {
    expect(latched(null, ending({ isLatched: false, end: { ...ended, termAt: 40_000 } })).state.kill?.end?.termAt).toBe(
      40_000,
    );
  });

  test('comes before anybody is looked at', () => {
    const state = killing({});
    expect(see(state, GONE, TERM_AT)).toEqual({ state, effects: [], wakeAt: TERM_AT + 500 });
    const look = { kind: 'look', lease: null } as const;
    expect(apply(state, look, at(TERM_AT)).effects).toEqual([]);
    expect(apply(ending(), look, at(TERM_AT)).effects).toEqual([{ kind: 'look-at-bot' }]);
  });
});

describe('the end of the bot', () => {
  test.each<[string, BotSight]>([
    ['still runs', { process: 'running', folderHeld: false }],
    ['holds its folder', { process: 'gone', folderHeld: true }],
  ])('is not seen while it %s, and is looked for again soon', (_what, bot) => {
    const turn = see(ending(), bot, TERM_AT + 1_999);
    expect(turn).toMatchObject({ state: { phase: 'ending' }, effects: [], wakeAt: TERM_AT + 1_999 + 50 });
  });

  test.each<[string, BotSight]>([
    ['is gone', GONE],
    ['is not known and holds nothing', { process: 'unknown', folderHeld: false }],
  ])('is seen when its process %s', (_what, bot) => {
    const turn = see(ending(), bot, TERM_AT + 30);
    expect(turn.state).toMatchObject({ phase: 'clearing', kill: { end: { isGone: true } } });
    expect(messages(turn)[0]).toBe('info watching: The bot is gone, and the state folder is free.');
  });

  test('is brought by SIGKILL when the grace is over, once', () => {
    const turn = see(ending(), RUNNING, TERM_AT + 2_000);
    expect(turn.state.kill?.end).toEqual({ termAt: TERM_AT, killedAt: TERM_AT + 2_000, isGone: false });
    const message = 'SIGTERM did not end the bot within 2.0 s: SIGKILL.';
    expect(turn.effects).toEqual([
      { kind: 'tell', level: 'warn', op: 'watching', message },
      { kind: 'signal', signal: 'SIGKILL' },
    ]);
    expect(see(turn.state, RUNNING, TERM_AT + 4_999)).toMatchObject({ state: { phase: 'ending' }, effects: [] });
  });

  test('that is not seen three seconds after SIGKILL is waited for no longer', () => {
    const turn = see(ending({ end: { ...ended, killedAt: TERM_AT + 2_000 } }), RUNNING, TERM_AT + 5_000);
    expect(turn.state).toMatchObject({ phase: 'clearing', kill: { end: { isGone: false } } });
    expect(messages(turn)[0]).toBe(
      'error bot-stays: The bot cannot be seen to be gone. It is latched, so its orders are canceled all the same; ' +
        'it is flat only when it is gone.',
    );
  });
});

describe('what is canceled', () => {
  const cleared = (orders: OwnOrders, settings: Partial<WatchSettings> = {}, damaged: string | null = null): Turn =>
    see(ending({ orders, damaged }, settings), GONE, TERM_AT);
  const clearing = (turn: Turn): string => messages(turn).find((line) => line.includes('clearing')) ?? '';

  test('is said, with the time until the second pass and until it gives up', () => {
    expect(clearing(cleared(ordersOf('1-1-1', '1-2-1')))).toBe(
      "warn clearing: Canceling 2 orders by name; again in 0.0 s, after the last create's horizon; " +
        'then two complete lists. Giving up after 3600.0 s.',
    );
    expect(clearing(cleared(ordersOf('1-1-1', null)))).toContain(
      'Canceling 1 orders by name, and looking for 1 without a name; again',
    );
    const account = { sweep: { ...SETTINGS.sweep, whose: 'account' } } as const;
    expect(clearing(cleared(ordersOf('1-1-1', null), account))).toContain('Canceling everything on the account; again');
  });

  test.each([
    ['passed a minute ago: nothing is waited for', -60_001 + TERM_AT, '0.0 s'],
    ['passed less than a minute ago by one of two clocks: it is waited for in full', -60_000 + TERM_AT, '14.0 s'],
  ])('is canceled again after the last horizon; one that %s', (_what, horizon, wait) => {
    const orders = ordersOf('1-1-1');
    orders.horizon = WALL + horizon;
    expect(clearing(cleared(orders))).toContain(`again in ${wait}, after`);
  });

  test('is canceled again after the horizon where the file is damaged, whatever it says', () => {
    expect(clearing(cleared(ordersOf('1-1-1'), {}, 'Line 3 is damaged.'))).toContain('again in 14.0 s, after');
  });

  const first = (pace: { intervalMs: number; pausedUntil: number | null } | undefined, sharesKey = true): Turn => {
    const state = ending({}, { sharesKey });
    const process = { pid: 1, startedAt: null, bootId: null };
    const lease = { seq: 1, cycles: 1, at: WALL, process, ended: false, pace };
    return see({ ...state, lease }, GONE, TERM_AT);
  };

  const interval = ({ state }: Turn): number => {
    const sweep = state.kill?.sweep ?? null;
    return sweep === null ? Number.NaN : intervalOf(sweep);
  };

  test('begins at the pace that the bot had learned, one interval after its end', () => {
    expect(first(undefined).wakeAt).toBe(TERM_AT + 250);
    expect(first({ intervalMs: 100, pausedUntil: null }).wakeAt).toBe(TERM_AT + 250);
    expect(first({ intervalMs: 400, pausedUntil: null }).wakeAt).toBe(TERM_AT + 400);
    expect(interval(first({ intervalMs: 400, pausedUntil: null }))).toBe(400);
  });

  test('waits for a pause that the exchange asked the bot for, and not for an absurd one', () => {
    const paceAt = (pausedUntil: number): number | undefined =>
      first({ intervalMs: 250, pausedUntil }).state.kill?.sweep?.paceAt;
    expect(paceAt(WALL + TERM_AT + 7_000)).toBe(TERM_AT + 7_000);
    expect(paceAt(WALL + TERM_AT + 3_600_000)).toBe(TERM_AT + 60_000);
    expect(paceAt(WALL)).toBe(TERM_AT + 250);
  });

  test('goes at once, at its own pace, with a key of its own', () => {
    const turn = first({ intervalMs: 400, pausedUntil: WALL + TERM_AT + 7_000 }, false);
    expect(kinds(turn)).toContain('send');
    expect(interval(turn)).toBe(250);
  });
});

describe('while orders are canceled', () => {
  function clearing(kill: Partial<KillState> = {}, settings: Partial<WatchSettings> = {}): WatchState {
    const { state } = see(ending({}, settings), GONE, TERM_AT);
    return { ...state, kill: { ...(state.kill as KillState), ...kill } };
  }
  const tell = (state: WatchState, input: WatchInput, mono: number): Turn => apply(state, input, at(mono));
  const look = (state: WatchState, mono: number): string[] =>
    kinds(tell(state, { kind: 'look', lease: null }, mono)).filter((kind) => kind !== 'send');
  const stays = { ...ended, killedAt: TERM_AT };

  test('a latch that could not be written is tried again every two seconds', () => {
    const state = clearing({ isLatched: false, latchTriedAt: TERM_AT });
    expect(look(state, TERM_AT + 1_999)).toEqual([]);
    expect(look(state, TERM_AT + 2_000)).toEqual(['latch']);
    const [latch] = tell(state, { kind: 'look', lease: null }, TERM_AT + 2_000).effects;
    expect(latch).toEqual({ kind: 'latch', reason: 'The watchdog: Silence.' });
    const tried = tell(state, { kind: 'latched', failure: 'No.' }, TERM_AT + 2_010).state;
    expect(tried.kill).toMatchObject({ isLatched: false, latchTriedAt: TERM_AT + 2_010 });
    expect(tell(state, { kind: 'latched', failure: null }, TERM_AT + 2_010).state.kill?.isLatched).toBe(true);
    expect(look(clearing(), TERM_AT + 2_000)).toEqual([]);
  });

  test('a bot that stays is looked at, and killed again every two seconds', () => {
    const state = clearing({ end: stays });
    expect(look(state, TERM_AT + 500)).toEqual(['look-at-bot']);
    expect(kinds(see(state, RUNNING, TERM_AT + 1_999))).not.toContain('signal');
    const turn = see(state, RUNNING, TERM_AT + 2_000);
    expect(turn.effects).toContainEqual({ kind: 'signal', signal: 'SIGKILL' });
    expect(turn.state.kill?.end).toEqual({ ...stays, killedAt: TERM_AT + 2_000 });
    expect(look(clearing(), TERM_AT + 500)).toEqual([]);
  });

  test('a bot that is gone at last has its second pass after its horizon', () => {
    const state = clearing({ end: stays });
    const turn = see(state, GONE, TERM_AT + 9_000);
    expect(messages(turn)).toEqual(['info watching: The bot is gone at last.']);
    expect(turn.state.kill?.end?.isGone).toBe(true);
    expect(turn.state.kill?.sweep?.secondFrom).toBe(TERM_AT + 9_000 + 14_000);
    expect(messages(see(clearing(), GONE, TERM_AT + 9_000))).toEqual([]);
  });

  test('the time for it is over when it has passed', () => {
    const state = clearing({ end: stays }, { giveUpMs: 10_000 });
    expect(tell(state, { kind: 'look', lease: null }, 55_000).state.phase).toBe('clearing');
    const turn = tell(state, { kind: 'look', lease: null }, 55_001);
    expect(turn.state.phase).toBe('done');
    expect(turn.effects.slice(-2)).toEqual([
      {
        ...{ kind: 'tell', level: 'error', op: 'gave-up' },
        message:
          'Giving up after 10.0 s. 1 orders may be open: 1-1-1. The bot cannot be seen to be gone. ' +
          'Look at the exchange yourself.',
      },
      { kind: 'end', flat: false },
    ]);
  });
});

describe('what is left', () => {
  test('is said of each that is not proved', () => {
    expect(leftOf(killing({ damaged: 'Line 3 is damaged.' }))).toEqual([
      'The kill latch could not be written.',
      'The bot cannot be seen to be gone.',
      'Line 3 is damaged. What it does not name was not canceled.',
    ]);
    expect(leftOf(killing({ isLatched: true, end: { ...ended, isGone: true } }))).toEqual([]);
    expect(leftOf(startWatch(SETTINGS, at(0)))).toEqual([]);
  });
});

test.each<WatchInput>([
  { kind: 'kept', why: 'It was done before.' },
  { kind: 'rearmed', today: 1, mostPerDay: 3 },
])('while orders are canceled, what comes of a re-arming changes nothing: %o', (input) => {
  const { state } = see(ending(), GONE, TERM_AT);
  const turn = apply(state, input, at(TERM_AT + 10));
  expect(turn.state.phase).toBe('clearing');
  expect(messages(turn)).toEqual([]);
});
