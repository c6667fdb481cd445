// The fold of openings: of the ledger, and of markets that were configured later.
import { tradeId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { Amount } from '../../ledger/amount.ts';
import { post } from '../../ledger/ledger.ts';
import { openingEntry } from '../../ledger/wallet-entries.ts';
import type { Durable } from '../durable/durable.ts';
import type { MarketStart, TraderEvent } from '../durable/events.ts';
import { exact } from '../durable/exact.ts';

type Payload<T extends TraderEvent['type']> = Extract<TraderEvent, { type: T }>['payload'];

/** What a start says of markets: which the ledger is held to be opened for, and which wait. */
export function applyMarkets(durable: Durable, { markets, added = {} }: Payload<'session-started'>): void {
  if (markets !== undefined)
    durable.markets = new Map(markets.map((symbol): [InstrumentSymbol, number] => [symbol, durable.openedAt ?? 0]));
  durable.added.clear();
  for (const [symbol, since] of Object.entries(added)) durable.added.set(symbol, since);
}

export function applyOpened(durable: Durable, { at, venueAt = at, cursors }: Payload<'opened'>): void {
  durable.opened = true;
  durable.openedAt = venueAt;
  for (const [symbol, cursor] of Object.entries(cursors)) beginMarket(durable, symbol, { cursor, from: venueAt });
}

export function applyMarketsOpened(durable: Durable, { venueAt, balances, markets }: Payload<'markets-opened'>): void {
  const totals = Object.entries(balances).map(([asset, total]): [string, Amount] => [asset, exact(total)]);
  if (totals.length > 0) durable.ledger = post(durable.ledger, openingEntry(new Map(totals)));
  for (const [asset] of totals) durable.assetsOpened.set(asset, venueAt);
  for (const [symbol, start] of Object.entries(markets)) {
    beginMarket(durable, symbol, start);
    durable.added.delete(symbol);
  }
}

function beginMarket(durable: Durable, symbol: InstrumentSymbol, { cursor, from }: MarketStart): void {
  durable.markets?.set(symbol, from);
  if (!cursor) return;
  const newest = { tradeId: tradeId(cursor.tradeId), venueTime: cursor.venueTime };
  durable.opening.set(symbol, newest);
  durable.cursors.set(symbol, newest);
}

/** A person has taken note of what may be missing: the market is as one that was opened then, and had no trade. */
export function passGap(durable: Durable, symbol: InstrumentSymbol): void {
  const until = durable.gaps.get(symbol);
  if (until === undefined) return;
  durable.gaps.delete(symbol);
  durable.cursors.delete(symbol);
  durable.markets?.set(symbol, until);
}
