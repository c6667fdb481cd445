// How long the cash lasts: each sale locks the tax that is withheld, and at a turnover that goes on it takes all of it.
import { type Decimal, shownPlain, ZERO } from '../../domain/decimal.ts';
import type { Asset } from '../../domain/instrument.ts';
import { type EpochMs, HOUR } from '../../domain/time.ts';
import { marketIn } from '../durable/market.ts';
import { ledgerTotal } from '../state/assets.ts';
import type { TraderState } from '../state/state.ts';
import { notice, type Turn } from '../state/turn.ts';

const HOURS_PER_DAY = 24;
/** Told again after so long, while it goes on. */
const TOLD_EVERY_MS = 6 * HOUR;

/** Of one asset that symbols are quoted in. */
export interface CashRunway {
  /** Withheld from own sales within the last hour. */
  readonly withheldLastHour: Decimal;
  /** Days until as much as there is would be withheld, at the turnover of the last hour; null where nothing was. */
  readonly days: number | null;
}

export function cashRunwayOf(state: TraderState, asset: Asset, now: EpochMs): CashRunway {
  const since = now + (state.clock?.offsetMs ?? 0) - HOUR;
  let withheld: Decimal = ZERO;
  for (const [symbol, { run }] of state.markets) {
    if (run.instrument.quote !== asset) continue;
    for (const { at, side, notional } of marketIn(state.durable, symbol).risk.fillParts)
      if (side === 'sell' && at > since) withheld = withheld.add(notional.mul(run.costs.tdsRatio));
  }
  const days = withheld.isZero() ? null : ledgerTotal(state, asset).div(withheld).div(HOURS_PER_DAY).toNumber();
  return { withheldLastHour: withheld, days };
}

/** Warns where the cash of an asset lasts for fewer days than `cashRunwayDays`. */
export function watchCash(turn: Turn): void {
  const { state, now, events } = turn;
  if (!events.some((event) => event.type === 'fill' && event.payload.fill.side === 'sell')) return;
  const assets = new Set([...state.markets.values()].map(({ run }) => run.instrument.quote));
  for (const asset of assets) {
    const { days, withheldLastHour } = cashRunwayOf(state, asset, now);
    if (days === null || days >= state.settings.cashRunwayDays) continue;
    if (now - (state.session.cashToldAt.get(asset) ?? Number.NEGATIVE_INFINITY) < TOLD_EVERY_MS) continue;
    state.session.cashToldAt.set(asset, now);
    const amount = shownPlain(withheldLastHour, asset);
    const message =
      `Tax of ${amount} ${asset} was withheld within an hour. At this turnover the cash lasts for ${days.toFixed(1)} ` +
      `days, and it should last ${state.settings.cashRunwayDays}. Quote less or wider, or add cash.`;
    notice(turn, { level: 'warn', op: 'cash-runway', message });
  }
}
