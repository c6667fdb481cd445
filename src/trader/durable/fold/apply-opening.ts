// The fold of openings: of the ledger, and of markets that were configured later.
import { tradeId } from '../../../domain/ids.ts';
import type { InstrumentSymbol } from '../../../domain/instrument.ts';
import type { Amount } from '../../../ledger/amount.ts';
import { openingEntry } from '../../../ledger/fill-entries.ts';
import { post } from '../../../ledger/ledger.ts';
import type { Durable } from '../durable.ts';
import type { PayloadOf } from '../events.ts';
import { journalAmount } from '../journal-amount.ts';
import { type DurableMarket, marketToChange } from '../market.ts';
import type { MarketStart } from '../opening-events.ts';

/** Which markets wait for being opened, as a start says. */
export function applyWaiting(durable: Durable, { added = {} }: PayloadOf<'session-started'>): void {
  for (const market of durable.markets.values()) market.waitingSince = null;
  for (const [symbol, since] of Object.entries(added)) marketToChange(durable, symbol).waitingSince = since;
}

export function applyOpeningBalance({ books }: Durable, { asset, total }: PayloadOf<'opening-balance'>): void {
  books.ledger = post(books.ledger, openingEntry(new Map([[asset, journalAmount(total)]])));
}

export function applyOpened(durable: Durable, opened: PayloadOf<'opened'>): void {
  const { venueAt, cursors, accountedTo } = opened;
  durable.books.opened = true;
  durable.books.openedAt = venueAt;
  durable.differences.accountedTo = accountedTo;
  beginProof(durable, opened);
  for (const [symbol, cursor] of Object.entries(cursors)) beginMarket(durable, symbol, { cursor, from: venueAt });
}

export function applyMarketsOpened(durable: Durable, opened: PayloadOf<'markets-opened'>): void {
  const { venueAt, balances, markets } = opened;
  const { books } = durable;
  const totals = Object.entries(balances).map(([asset, total]): [string, Amount] => [asset, journalAmount(total)]);
  if (totals.length > 0) books.ledger = post(books.ledger, openingEntry(new Map(totals)));
  for (const [asset] of totals) books.assetsOpened.set(asset, venueAt);
  for (const [symbol, start] of Object.entries(markets)) beginMarket(durable, symbol, start).waitingSince = null;
  beginProof(durable, opened);
}

/** Of two openings that are not proved the earlier moment holds for both. */
function beginProof({ books }: Durable, { at, venueAt, accountedTo }: PayloadOf<'opened' | 'markets-opened'>): void {
  books.unproven = Math.min(books.unproven ?? Number.POSITIVE_INFINITY, accountedTo + venueAt - at);
}

function beginMarket(durable: Durable, symbol: InstrumentSymbol, { cursor, from }: MarketStart): DurableMarket {
  const market = marketToChange(durable, symbol);
  market.openedSince = from;
  if (!cursor) return market;
  market.openingCursor = { tradeId: tradeId(cursor.tradeId), venueTime: cursor.venueTime };
  market.cursor = market.openingCursor;
  return market;
}

export function applyGap(durable: Durable, { symbol, until }: PayloadOf<'trades-gap'>): void {
  marketToChange(durable, symbol).gapUntil = until;
}

/** A person has taken note of what may be missing: the market is as one that was opened then, and had no trade. */
export function passGap(market: DurableMarket): void {
  if (market.gapUntil === null) return;
  market.openedSince = market.gapUntil;
  market.gapUntil = null;
  market.cursor = null;
}
