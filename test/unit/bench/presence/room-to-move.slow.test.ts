// The moves that `check` and `plan` say have room, against whole runs in virtual time with a tight and a loose limit:
// no level waits before so many canceled orders count, and only the tight limit costs presence.
import { expect, test } from '@jest/globals';
import { createOwnAccount } from '../../../../bench/presence/own-account.ts';
import { playSettingsOf, START_AT } from '../../../../bench/presence/play-settings.ts';
import { type PlaySettings, play, type World } from '../../../../src/backtest/play.ts';
import { decimal } from '../../../../src/domain/decimal.ts';
import { MINUTE, SECOND } from '../../../../src/domain/time.ts';
import { liveIntents } from '../../../../src/trader/durable/durable.ts';
import { isLeaving } from '../../../../src/trader/durable/intent.ts';
import { symbolsOf, type TraderState } from '../../../../src/trader/state/state.ts';
import { moveInThought } from '../../../../src/trader/turns/preview.ts';

const ORDERS = 8;
const SPAN = { from: START_AT + 3 * MINUTE, until: START_AT + 23 * MINUTE };

/** Two symbols, four orders each that come to 450,000 INR, lists that are assumed to trail by 30 s. */
async function settingsWith(maxOpenNotionalOverAll: string): Promise<PlaySettings> {
  const lists = { lagMs: 2 * SECOND, assumedMs: 30 * SECOND };
  const limit = { requests: 10, perMs: SECOND };
  const settings = await playSettingsOf(
    { kind: 'played', file: 'paper.yaml', symbols: 2, limit, trouble: 'none', lists },
    { seed: 1, durationMs: SPAN.until - START_AT },
  );
  const { trader } = settings.trading;
  const overAll = { maxOpenNotionalOverAll: decimal(maxOpenNotionalOverAll) };
  const runs = trader.runs.map((run) => ({ ...run, limits: { ...run.limits, ...overAll } }));
  // `plan` counts no messages either.
  const messageRate = { ...trader.messageRate, maxPerSecond: 1_000 };
  return { ...settings, trading: { ...settings.trading, trader: { ...trader, runs, messageRate } } };
}

class Counted extends Error {}

/** Once all orders rest, and before the first one moves. */
async function roomIn(settings: PlaySettings): Promise<number> {
  let room: number | null = null;
  const watch = ({ trader, now }: World): void => {
    const orders = [...trader.durable.orders.intents.values()];
    if (orders.length !== ORDERS || orders.some(({ state }) => state !== 'open')) return;
    room = [...moveInThought(trader, now).values()].reduce((sum, { moves }) => sum + moves, 0);
    throw new Counted();
  };
  await expect(play({ ...settings, watch })).rejects.toThrow(Counted);
  return room ?? Number.NaN;
}

interface Waited {
  /** The fewest canceled orders that counted while a level waited; infinite where none did. */
  readonly fewest: number;
  readonly lostSeconds: number;
}

async function waitsIn(settings: PlaySettings): Promise<Waited> {
  const symbols = settings.trading.trader.runs.map(({ instrument }) => instrument.symbol);
  const own = createOwnAccount({ symbols, counted: { all: [SPAN] } });
  let fewest = Number.POSITIVE_INFINITY;
  const watch = ({ trader, now }: World): void => {
    own.watch({ trader, now });
    if (symbolsOf(trader).some((symbol) => waits(trader, symbol)))
      fewest = Math.min(fewest, symbols.flatMap((each) => liveIntents(trader.durable, each)).filter(isLeaving).length);
  };
  const played = await play({ ...settings, watch });
  expect(played).toMatchObject({ ok: true, value: { flat: true } });
  return { fewest, lostSeconds: own.figures().all?.lostSeconds.leaving ?? 0 };
}

const waits = ({ markets }: TraderState, symbol: string): boolean =>
  (markets.get(symbol)?.decision?.waiting.size ?? 0) > 0;

test.each([
  { overAll: '520000', room: 1, lost: [30, 400] },
  { overAll: '1100000', room: 8, lost: [0, 3] },
])('$overAll INR over all: room for $room moves', async ({ overAll, room, lost: [least = 0, most = 0] }) => {
  expect(await roomIn(await settingsWith(overAll))).toBe(room);
  const { fewest, lostSeconds } = await waitsIn(await settingsWith(overAll));
  expect(fewest).toBeGreaterThanOrEqual(room);
  expect(lostSeconds).toBeGreaterThanOrEqual(least);
  expect(lostSeconds).toBeLessThanOrEqual(most);
});
