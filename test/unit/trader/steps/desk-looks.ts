// Reads of a desk that the trader did not choose: what a test wants to be looked at now.
import { tradeId } from '../../../../src/domain/ids.ts';
import { marketIn } from '../../../../src/trader/durable/market.ts';
import type { Chosen } from '../../../../src/trader/state/session.ts';
import type { TraderState } from '../../../../src/trader/state/state.ts';
import type { VenueRequest } from '../../../../src/venue/requests.ts';

export function looks(
  { settings, durable, markets, clock }: TraderState,
  kind: 'book' | 'orders' | 'trades' | 'wallet',
  now: number,
): Chosen[] {
  const stamp = { timestamp: now + (clock?.offsetMs ?? 0), recvWindow: 2_500 };
  const chosen = (key: string, request: VenueRequest): Chosen => ({ key, request, intentId: null, purpose: 'a look' });
  const symbols = settings.runs.map(({ instrument }) => instrument.symbol);
  switch (kind) {
    case 'book':
      return symbols.map((symbol) => chosen(`order-book ${symbol}`, { kind: 'order-book', symbol, limit: 50 }));
    case 'orders':
      return [chosen('open-orders *', { kind: 'open-orders', stamp })];
    case 'trades':
      return symbols.map((symbol) => {
        const fromId =
          (marketIn(durable, symbol).cursor ?? markets.get(symbol)?.openingCursor)?.tradeId ?? tradeId('0');
        return chosen(`spot-trades ${symbol}`, {
          kind: 'spot-trades',
          symbol,
          filter: { by: 'from-id', fromId },
          limit: 50,
          stamp,
        });
      });
    case 'wallet':
      return [chosen('wallet', { kind: 'wallet', stamp })];
  }
}
