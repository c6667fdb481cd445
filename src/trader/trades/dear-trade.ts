// What own trades cost, against the fees and the tax that are configured.
import { plain } from '../../domain/decimal.ts';
import type { Fill } from '../../domain/fill.ts';
import type { RunSettings } from '../state/settings.ts';
import { runOf } from '../state/state.ts';
import { notice, type Turn } from '../state/turn.ts';

/** Q11: charges are rounded to eight decimals. */
export const ROUNDING = 1e-8;

/** One sentence; null where it cost no more. Only what is charged in quote can be compared with a ratio of that. */
export function whyDear(fill: Fill, { costs, instrument }: Pick<RunSettings, 'costs' | 'instrument'>): string | null {
  const { side, tradeId: id, commission, commissionAsset, quoteQuantity: notional, liquidity, tds } = fill;
  if (!notional.gt(0)) return null;
  const percent = (part: typeof tds): string => plain(part.div(notional).mul(100).toDecimalPlaces(4));
  const fee = notional.mul(liquidity === 'maker' ? costs.makerFeeRatio : costs.takerFeeRatio);
  if (commissionAsset === instrument.quote && commission.gt(fee.add(ROUNDING)))
    return `Trade ${id} cost ${percent(commission)} %, more than the configured fee with its tax.`;
  if (side === 'sell' && tds.gt(notional.mul(costs.tdsRatio).add(ROUNDING)))
    return `Of trade ${id} ${percent(tds)} % were withheld as tax, more than tdsRatio.`;
  return null;
}

/** Costs put the floor under every quote, and are what is configured: told once for the same parameters. */
export function noteDearTrade(turn: Turn, fill: Fill): void {
  const { symbol } = fill;
  const run = runOf(turn.state, symbol);
  const { dearTold } = turn.state.session;
  const why = dearTold.has(run) ? null : whyDear(fill, run);
  if (why === null) return;
  dearTold.add(run);
  const message = `${why} Quotes earn less than they were to: set costs to what the exchange takes.`;
  notice(turn, { level: 'warn', op: 'fill-dearer', symbol, message });
}
