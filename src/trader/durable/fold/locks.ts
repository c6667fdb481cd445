// The fold of locks. What made a protection lock begins anew with its lock, and once more when that ends.
import { ZERO } from '../../../domain/decimal.ts';
import type { EpochMs } from '../../../domain/time.ts';
import { isSameLock, type Lock, type LockCode } from '../../../quoting/protection-settings.ts';
import type { HaltCode } from '../../../quoting/risk/risk-context.ts';
import type { Durable } from '../durable.ts';
import type { PayloadOf } from '../events.ts';
import { type DurableMarket, marketToChange } from '../market.ts';
import type { MarketRisk } from '../remembered/limits.ts';
import { beginFillsAnew, lookAnew } from './protections.ts';

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
  if (by === BY_TIME) beginAnew(market.risk, code, at);
  else removed(market.risk, code, at);
}

/** What is counted as the halt is: other codes are about nothing that a protection counts. */
const COUNTED_AS: Partial<Readonly<Record<HaltCode, LockCode>>> = {
  'create-refused': 'refusals',
  'loss-session': 'drawdown',
  'loss-day': 'drawdown',
  'loss-drawdown': 'drawdown',
};

/** A person has looked: what halted the market and what locked it begins anew, and nothing else does. */
export function resumeProtections(market: DurableMarket, at: EpochMs): void {
  const { halt, locks, risk } = market;
  // While it was halted nobody looked at its profit.
  lookAnew(risk);
  for (const { code } of locks) removed(risk, code, at);
  const counted = halt === null ? undefined : COUNTED_AS[halt.code];
  if (counted !== undefined) beginAnew(risk, counted, at);
  market.locks = [];
}

/** By a person: who removes the lock of a full day gives it its room once more. */
function removed(risk: MarketRisk, code: LockCode, at: EpochMs): void {
  beginAnew(risk, code, at);
  const { turnover } = risk.protections;
  if (code === 'repeated-fills') beginFillsAnew(risk);
  if (code === 'turnover') risk.protections = { ...risk.protections, turnover: { ...turnover, notional: ZERO } };
}

function beginAnew(risk: MarketRisk, code: LockCode, at: EpochMs): void {
  const { protections, profit } = risk;
  if (code in protections.counted)
    risk.protections = { ...protections, counted: { ...protections.counted, [code]: [] } };
  if (code === 'drawdown') {
    const isKnown = profit !== null && protections.peakHolds;
    risk.protections = { ...protections, peaks: isKnown ? [{ at, total: profit.last }] : [] };
  }
}
