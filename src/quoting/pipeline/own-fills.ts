// Pipeline steps that look at the last own fills: who has just filled waits, and who fills too often stops.
import { type Side, slotOf } from '../../domain/order.ts';
import type { OwnFill } from '../knowledge.ts';
import { leavesSlotFree } from '../live-order.ts';
import { changeEach, type Draft } from './draft.ts';

/** After an order has filled completely, a slot of its side that is empty stays empty for a while. */
export function waitAfterFill(draft: Draft): Draft {
  const { filledDelayMs } = draft.settings;
  if (filledDelayMs === 0) return draft;
  const { now, ownFills } = draft.view;
  const taken = new Set(draft.live.filter((order) => !leavesSlotFree(order)).map(({ slot }) => slot));
  const note = { name: 'filled delay', unchanged: 'No order has just filled.' };
  return changeEach(draft, note, (quote) => {
    const last = ownFills.findLast(({ side, completesOrder }) => side === quote.side && completesOrder);
    if (last === undefined || taken.has(slotOf(quote)) || now >= last.at + filledDelayMs) return null;
    const seconds = ((last.at + filledDelayMs - now) / 1_000).toFixed(1);
    return { drop: `An order of this side has just filled: the next one waits for ${seconds} s.` };
  });
}

/** The side that filled more leaves out as many of its innermost levels. */
export function playPingPong(draft: Draft): Draft {
  if (!draft.settings.pingPong) return draft;
  const complete = draft.view.ownFills.filter(({ completesOrder }) => completesOrder);
  const counts: Readonly<Record<Side, number>> = { buy: countOf(complete, 'buy'), sell: countOf(complete, 'sell') };
  const note = { name: 'ping-pong', unchanged: `As many bids as asks have filled (${counts.buy}).` };
  return changeEach(draft, note, ({ side, level }) => {
    const more = counts[side] - counts[opposite(side)];
    if (level >= more) return null;
    const words = (of: Side): string => `${counts[of]} ${of === 'buy' ? 'bids' : 'asks'}`;
    return { drop: `${words(side)} have filled and ${words(opposite(side))}: the innermost ${more} of these wait.` };
  });
}

/** A side that fills again and again while the other does not stops. */
export function holdTradeRate(draft: Draft): Draft {
  const { tradeRate } = draft.settings;
  if (tradeRate === undefined) return draft;
  const { now, ownFills } = draft.view;
  const recent = ownFills.filter(({ at }) => at > now - tradeRate.windowMs);
  const note = { name: 'trade rate', unchanged: 'No side fills much more often than the other.' };
  return changeEach(draft, note, ({ side }) => {
    const net = countOf(recent, side) - countOf(recent, opposite(side));
    if (net < tradeRate.maxNetFills) return null;
    const within = `within ${tradeRate.windowMs / 1_000} s`;
    return {
      drop: `This side filled ${net} times more than the other ${within}; the limit is ${tradeRate.maxNetFills}.`,
    };
  });
}

const countOf = (fills: readonly OwnFill[], side: Side): number => fills.filter((fill) => fill.side === side).length;

const opposite = (side: Side): Side => (side === 'buy' ? 'sell' : 'buy');
