// Protections: what locks a symbol, or a side of it, for a while, and when such a lock ends. Judged in the turn in
// which what they count has happened, so that a lowered setting locks nothing for what is long past.
import { plain, shownPlain } from '../../domain/decimal.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { DAY, type EpochMs } from '../../domain/time.ts';
import { type Value, valueDecimal } from '../../ledger/amount.ts';
import type { Lock } from '../../quoting/protection-settings.ts';
import type { FillRecord } from '../durable/events.ts';
import { BY_TIME } from '../durable/fold/apply-risk.ts';
import { marketIn } from '../durable/market.ts';
import { hasSoMany, type Peak } from '../durable/remembered.ts';
import { ownFillsIn } from '../knowledge/own-fills.ts';
import { marketOf, runOf } from '../state/state.ts';
import { hasLock, lockSymbol, type Turn, unlockSymbol } from '../state/turn.ts';
import { valueOfLimit } from './loss.ts';

export function watchProtections(turn: Turn, symbol: InstrumentSymbol): void {
  // Behind the end of a session nothing is written.
  if (turn.state.phase === 'stopped') return;
  endLocks(turn, symbol);
  watchLosingSales(turn, symbol);
  watchTurnover(turn, symbol);
  watchDrawdown(turn, symbol);
}

/** A session compares the clocks first: by one that was set meanwhile a lock would end at another moment. */
function endLocks(turn: Turn, symbol: InstrumentSymbol): void {
  if (!turn.state.session.clockCompared) return;
  for (const lock of marketIn(turn.state.durable, symbol).locks)
    if (lock.until !== null && turn.now >= lock.until) unlockSymbol(turn, symbol, lock, BY_TIME);
}

function watchLosingSales(turn: Turn, symbol: InstrumentSymbol): void {
  const rule = runOf(turn.state, symbol).protections.losingSales;
  if (rule === undefined) return;
  const events = marketIn(turn.state.durable, symbol).risk.protections.losingSales;
  const begin = (events.at(-1)?.at ?? turn.now) - rule.withinMs;
  const isNew = ownFillsOf(turn, symbol).some(
    ({ side, venueTime: at }) => side === 'sell' && at >= begin && events.some((event) => event.at === at),
  );
  if (!isNew || !hasSoMany(events, rule)) return;
  const within = inSeconds(rule.withinMs);
  const reason = `${rule.count} own sales within ${within} brought less than their base had cost.`;
  protect(turn, symbol, { code: 'losing-sales', side: null, reason, until: turn.now + rule.lockMs });
}

function watchTurnover(turn: Turn, symbol: InstrumentSymbol): void {
  const { protections, instrument } = runOf(turn.state, symbol);
  const rule = protections.turnover;
  if (rule === undefined || ownFillsOf(turn, symbol).length === 0) return;
  const { day, notional } = marketIn(turn.state.durable, symbol).risk.protections.turnover;
  const until = (day + 1) * DAY;
  if (notional.lt(rule.quotePerDay) || turn.now >= until) return;
  const worth = `${shownPlain(notional, instrument.quote)} ${instrument.quote}`;
  const reason = `Own fills of this day are worth ${worth}; the most is ${plain(rule.quotePerDay)}.`;
  protect(turn, symbol, { code: 'turnover', side: null, reason, until });
}

function watchDrawdown(turn: Turn, symbol: InstrumentSymbol): void {
  const { protections, instrument } = runOf(turn.state, symbol);
  const rule = protections.drawdown;
  const total = marketOf(turn.state, symbol).profit?.total;
  if (rule === undefined || total === undefined) return;
  const { halt, risk } = marketIn(turn.state.durable, symbol);
  // As with the losses that halt: while it is halted its price may be what halted it.
  if (halt !== null || !risk.protections.peakHolds) return;
  const highest = highestWithin(risk.protections.peaks, turn.now - rule.withinMs)?.total ?? total;
  if (highest - total < valueOfLimit(rule.quote)) return;
  const below = `${money((highest - total) as Value, instrument.quote)} ${instrument.quote} below its highest`;
  const reason = `Profit is ${below} within ${inSeconds(rule.withinMs)}; the lock begins at ${plain(rule.quote)}.`;
  protect(turn, symbol, { code: 'drawdown', side: null, reason, until: turn.now + rule.lockMs });
}

/** The newest stands until now, whenever it was reached. */
const highestWithin = (peaks: readonly Peak[], begin: EpochMs): Peak | undefined =>
  peaks.find(({ at }) => at >= begin) ?? peaks.at(-1);

/** One that is on already keeps its end. */
function protect(turn: Turn, symbol: InstrumentSymbol, lock: Omit<Lock, 'since'>): void {
  if (!hasLock(turn.state.durable, symbol, lock)) lockSymbol(turn, symbol, lock, 'protection');
}

const ownFillsOf = (turn: Turn, symbol: InstrumentSymbol): readonly FillRecord[] =>
  ownFillsIn(turn).filter((fill) => fill.symbol === symbol);

const inSeconds = (ms: number): string => `${ms / 1_000} s`;

const money = (value: Value, asset: string): string => shownPlain(valueDecimal(value), asset);
