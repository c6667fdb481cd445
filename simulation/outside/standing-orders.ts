// The owner's orders that rest for the whole run, far below the market: rows in addition to the bot's in every list of
// open orders, close to a page's capacity.
import { Decimal } from '../../src/domain/decimal.ts';
import type { OwnerAction } from '../../src/paper/state/owner-actions.ts';
import { ACCOUNT, profileOf } from '../plan/configuration.ts';
import type { Plan } from '../plan/plan.ts';
import type { Profile } from '../profile/profile.ts';
import { inQuote } from '../profile/quote-worth.ts';

/** Share of the price: no walk comes near it. */
const SHARE = 0.5;
/** In INR, each. */
const NOTIONAL = 300;

/** Whether there are any: not if the account is the bot's alone. */
export const hasStandingOrders = (plan: Plan): boolean =>
  plan.foreignOrders === 'ignore' && profileOf(plan).markets.some(({ ownersOrders = 0 }) => ownersOrders > 0);

/** `act` returns its result, null if it was refused. True if all of them rest. */
export function placeStandingOrders(act: (action: OwnerAction) => string | null, { markets }: Profile): boolean {
  return markets.every(({ instrument, startPrice, ownersOrders = 0 }) => {
    const { symbol, quote, tickSize, lotSize } = instrument;
    return Array.from({ length: ownersOrders }).every((_, index) => {
      const price = tickSize.mul(new Decimal(startPrice * SHARE).div(tickSize).floor().sub(index));
      const quantity = inQuote(NOTIONAL, quote).div(price).div(lotSize).ceil().mul(lotSize);
      const terms = { type: 'LIMIT', price } as const;
      return act({ kind: 'place-order', account: ACCOUNT, symbol, side: 'buy', quantity, terms }) !== null;
    });
  });
}
