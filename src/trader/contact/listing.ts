// Which of the configured markets the exchange has. One that it lacks ends nothing: no order is created there, what
// rests is canceled.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { marketOf, symbolsOf, type TraderState, touch } from '../state/state.ts';
import { notice, type Turn } from '../state/turn.ts';

export type ListingInput =
  | { readonly awaited: string }
  | { readonly awaited: null; readonly missing: readonly InstrumentSymbol[] };

export const isAvailable = (state: TraderState, symbol: InstrumentSymbol): boolean =>
  marketOf(state, symbol).unavailable === null;

export function observeListing(turn: Turn, input: ListingInput): void {
  const { state } = turn;
  state.holds.listingAwaited = input.awaited;
  if (input.awaited === null) for (const symbol of symbolsOf(state)) noteListed(turn, symbol, input.missing);
  touch(state);
}

function noteListed(turn: Turn, symbol: InstrumentSymbol, missing: readonly InstrumentSymbol[]): void {
  const market = marketOf(turn.state, symbol);
  const lacks = missing.includes(symbol);
  if (lacks === (market.unavailable !== null)) return;
  if (!lacks) {
    market.unavailable = null;
    return notice(turn, { level: 'info', op: 'market-listed', symbol, message: `The exchange lists ${symbol} again.` });
  }
  const reason = `The exchange does not list ${symbol}: it was delisted or disabled, or is misspelled here.`;
  market.unavailable = reason;
  const message = `${reason} Nothing is quoted there, own orders there are canceled, the other markets go on.`;
  notice(turn, { level: 'page', op: 'market-unlisted', symbol, message });
}
