// Pipeline step: keeps quotes from meeting our own orders, those that may be live and those wanted on the other side.
import { ceilToTick, floorToTick } from '../../domain/instrument.ts';
import { innermostOf, outwardBy } from '../outward.ts';
import type { Draft } from './draft.ts';
import { keepBeyond } from './price-limits.ts';

const NAME = 'self-cross guard';

/**
 * A bid stays a tick under every own ask that may be live, even one that is about to be canceled: a cancel proves
 * nothing until it is resolved. Asks do the same, and give way to the bids wanted here. An order of before the tick was
 * another one may rest off it: quotes are on it all the same.
 */
export function guardSelfCross(draft: Draft): Draft {
  const { instrument } = draft.view;
  const { tickSize } = instrument;
  const lowestAsk = innermostOf('sell', draft.live);
  const bids = keepBeyond(
    draft,
    { buy: lowestAsk && floorToTick(outwardBy('buy', lowestAsk, tickSize), instrument), sell: null },
    { name: NAME, unchanged: 'No bid meets an own ask.', why: `An own ask may be live at ${lowestAsk?.toFixed()}.` },
  );
  const highestBid = innermostOf('buy', [...bids.live, ...bids.quotes]);
  return keepBeyond(
    bids,
    { buy: null, sell: highestBid && ceilToTick(outwardBy('sell', highestBid, tickSize), instrument) },
    {
      name: NAME,
      unchanged: 'No ask meets an own bid.',
      why: `An own bid is or may be live at ${highestBid?.toFixed()}.`,
    },
  );
}
