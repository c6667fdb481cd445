// Which of the configured markets the exchange has. One that it lacks ends nothing: no order is created there, what
// rests is canceled.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { notice, type Turn } from '../fold/turn.ts';
import { symbolsOf, type TraderState, touch } from '../state/state.ts';

export type ListingInput =
  | { readonly awaited: string }
  | { readonly awaited: null; readonly missing: readonly InstrumentSymbol[] };

export const isAvailable = ({ listing }: TraderState, symbol: InstrumentSymbol): boolean =>
  !listing.unavailable.has(symbol);

export function observeListing(turn: Turn, input: ListingInput): void {
  const { state } = turn;
  const { listing } = state;
  listing.awaited = input.awaited;
  if (input.awaited === null) for (const symbol of symbolsOf(state)) noteListed(turn, symbol, input.missing);
  touch(state);
}

function noteListed(turn: Turn, symbol: InstrumentSymbol, missing: readonly InstrumentSymbol[]): void {
  const { unavailable } = turn.state.listing;
  const lacks = missing.includes(symbol);
  if (lacks === unavailable.has(symbol)) return;
  if (!lacks) {
    unavailable.delete(symbol);
    return notice(turn, { level: 'info', op: 'market-listed', symbol, message: `The exchange lists ${symbol} again.` });
  }
  const reason = `The exchange does not list ${symbol}: it was delisted or disabled, or is misspelled here.`;
  unavailable.set(symbol, reason);
  const message = `${reason} Nothing is quoted there, own orders there are canceled, the other markets go on.`;
  notice(turn, { level: 'page', op: 'market-unlisted', symbol, message });
}
