// What the checks of silence say to a bot that asks for less than it must, or is down, and when they say nothing.
import { describe, expect, test } from '@jest/globals';
import { silenceChecks } from '../../../simulation/checks/check-silence.ts';
import type { Answered, CheckContext, Outgoing } from '../../../simulation/checks/context.ts';
import { type EpochMs, MINUTE, SECOND } from '../../../src/domain/time.ts';
import { BTC, deskSettings, ETH } from '../trader/desk-settings.ts';

/** A calm that begins at 0, with a bot that reads a book and a list each second and is what a test wants besides. */
interface Bot {
  /** Books that it reads; both where they are left out. */
  readonly books?: readonly string[];
  /** When its private lane falls silent; never where that is left out. */
  readonly silentFrom?: EpochMs;
  /** What the last private answer was. */
  readonly status?: number;
  /** How often it reads its lists, where it is to do so every fifteen seconds. */
  readonly listsEveryMs?: number;
  /** When a list of it is refused for the rate. */
  readonly refusedAt?: EpochMs;
  readonly downFrom?: EpochMs;
  readonly aheadUntil?: EpochMs;
  readonly keptDownUntil?: EpochMs;
  readonly stoppedBy?: 'latch' | 'itself';
  readonly minutes?: number;
}

const asking = (endpoint: string, symbol: string): Outgoing =>
  ({ endpoint, query: new URLSearchParams({ symbol }) }) as unknown as Outgoing;

function saidOf({
  books = [BTC, ETH],
  silentFrom = Infinity,
  status = 200,
  listsEveryMs,
  refusedAt = Infinity,
  downFrom = Infinity,
  aheadUntil = 0,
  keptDownUntil = 0,
  stoppedBy,
  minutes = 12,
}: Bot): string[] {
  const said = new Set<string>();
  const settings = deskSettings({ symbols: [BTC, ETH] });
  const { polling } = settings;
  let now = 0;
  const context = {
    now: () => now,
    phase: () => 'calm',
    calmSince: () => 0,
    clockError: () => 0,
    aheadUntil: () => aheadUntil,
    keptDownUntil: () => keptDownUntil,
    latchedSince: () => (stoppedBy === 'latch' ? 0 : null),
    isUp: () => now < downFrom,
    journal: { ended: stoppedBy === undefined ? null : { flat: true, at: 0 }, intents: new Map() },
    settings:
      listsEveryMs === undefined ? settings : { ...settings, polling: { ...polling, openOrdersMs: 15 * SECOND } },
    violated: (invariant: string, sentence: string) =>
      said.add(`${invariant}: ${sentence.replace(/for \d+ s/, 'for … s')}`),
  } as unknown as CheckContext;
  const checks = silenceChecks();
  checks.recorded?.(context, { type: 'session-started', seq: 1, epoch: 1, payload: {} }, {} as never);
  for (; now < minutes * MINUTE; now += SECOND) {
    if (now === downFrom) checks.crashed?.(context);
    if (now % (10 * SECOND) === 0) checks.sampled?.(context);
    if (now >= downFrom || stoppedBy !== undefined) continue;
    for (const symbol of books) checks.sent?.(context, asking('order-book', symbol));
    if (now >= silentFrom || now % (listsEveryMs ?? SECOND) > 0) continue;
    const list = asking('open-orders', BTC);
    checks.sent?.(context, list);
    checks.sent?.(context, asking('open-orders', ETH));
    const last = now + SECOND >= silentFrom;
    const given = now === refusedAt ? 429 : last ? status : 200;
    checks.answered?.(context, { ...list, status: given, text: '', headers: {}, sentAt: now } as Answered);
  }
  return [...said];
}

const SILENT = [
  'L2: Nothing was asked of the private lane for … s.',
  `L2: Nothing was asked of the own orders of ${BTC} for … s.`,
  `L2: Nothing was asked of the own orders of ${ETH} for … s.`,
];

describe('in twelve minutes of calm', () => {
  test.each<[string, Bot, readonly string[]]>([
    ['a bot that asks for everything is right', {}, []],
    ['one that forgets a book is not', { books: [BTC] }, [`L2: Nothing was asked of the book of ${ETH} for … s.`]],
    ['nor one whose private lane ends, though it reads on and never asks again', { silentFrom: 8 * MINUTE }, SILENT],
    ['one that was told to wait may wait for minutes', { silentFrom: MINUTE, status: 503, minutes: 9 }, []],
    ['and not for ever', { silentFrom: MINUTE, status: 503 }, SILENT],
    [
      'one that reads half as often as it is to is silent',
      { listsEveryMs: 30 * SECOND, minutes: 6 },
      SILENT.slice(0, 1),
    ],
    ['unless it was refused for the rate lately', { listsEveryMs: 30 * SECOND, refusedAt: 3 * MINUTE, minutes: 5 }, []],
    ['and not for long', { listsEveryMs: 30 * SECOND, refusedAt: 3 * MINUTE, minutes: 8 }, SILENT.slice(0, 1)],
    ['one that is down for the last minutes may be starting', { downFrom: 5 * MINUTE }, []],
    ['one that is down for longer is not', { downFrom: 3 * MINUTE }, ['L1: The bot has been down for … s.']],
    ['unless its journal is ahead of the clock', { downFrom: MINUTE, aheadUntil: 5 * MINUTE }, []],
    ['unless the latch kept it down', { downFrom: MINUTE, keptDownUntil: 5 * MINUTE }, []],
    ['one that the kill latch stopped asks for nothing', { stoppedBy: 'latch' }, []],
  ])('%s', (_words, bot, expected) => {
    expect(saidOf(bot)).toEqual(expected);
  });

  test('one that stopped of itself is silent', () => {
    expect(saidOf({ stoppedBy: 'itself' })).toContain('L2: Nothing was asked of the public lane for … s.');
  });
});
