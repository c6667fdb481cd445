// The fold of locks. What made a protection lock begins anew with its lock, and once more when that ends.
import { ZERO } from '../../../domain/decimal.ts';
import { isSameLock, type Lock, type LockCode } from '../../../quoting/lock.ts';
import type { Durable } from '../durable.ts';
import type { PayloadOf } from '../events.ts';
import { type DurableMarket, marketToChange } from '../market.ts';
import type { MarketRisk } from '../remembered/limits.ts';
import { noProtectionMemory, type ProtectionMemory } from '../remembered/protections.ts';

/** Who removes a lock whose end has come. */
export const BY_TIME = 'time';

export function applyLocked(durable: Durable, payload: PayloadOf<'locked'>): void {
  const { symbol, code, side, reason, until, at } = payload;
  const market = marketToChange(durable, symbol);
  const lock: Lock = { code, side, reason, since: at, until };
  market.locks = [...market.locks.filter((each) => !isSameLock(each, lock)), lock];
  beginAnew(market.risk, code, at);
}

export function applyUnlocked(durable: Durable, { symbol, code, side, by, at }: PayloadOf<'unlocked'>): void {
  const market = marketToChange(durable, symbol);
  market.locks = market.locks.filter((each) => !isSameLock(each, { code, side }));
  beginAnew(market.risk, code, at);
  // Who removes the lock of a full day gives it its room once more.
  if (code === 'turnover' && by !== BY_TIME) market.risk.protections = withoutTurnover(market.risk.protections);
}

const withoutTurnover = (memory: ProtectionMemory): ProtectionMemory => ({
  ...memory,
  turnover: { ...memory.turnover, notional: ZERO },
});

/** A person has looked. */
export function removeAllLocks(market: DurableMarket): void {
  market.locks = [];
  market.risk.protections = noProtectionMemory();
}

function beginAnew(risk: MarketRisk, code: LockCode, at: number): void {
  const { protections, profit } = risk;
  const empty = noProtectionMemory();
  if (code === 'losing-sales') risk.protections = { ...protections, losingSales: empty.losingSales };
  if (code === 'refusals') risk.protections = { ...protections, refusals: empty.refusals };
  if (code === 'drawdown') {
    const isKnown = profit !== null && protections.peakHolds;
    risk.protections = { ...protections, peaks: isKnown ? [{ at, total: profit.last }] : [] };
  }
}
