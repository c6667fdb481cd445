// Openings, differences and flows change the books.
import { tradeId } from '../../../domain/ids.ts';
import type { InstrumentSymbol } from '../../../domain/instrument.ts';
import { invariant } from '../../../domain/invariant.ts';
import { type Amount, NO_AMOUNT } from '../../../ledger/amount.ts';
import { bookedAs, bookTrade } from '../../../ledger/booked-trades.ts';
import {
  type BookableFill,
  bookable,
  correctionEntry,
  externalFlowEntry,
  fillEntry,
  type Keeps,
  openingEntry,
} from '../../../ledger/fill-entries.ts';
import { post } from '../../../ledger/ledger.ts';
import { confirmedAmount, type Differences } from '../differences.ts';
import type { Durable } from '../durable.ts';
import type { FillRecord, OwnersTrade, PayloadOf } from '../events.ts';
import type { MarketStart } from '../hold-events.ts';
import { type DurableMarket, marketToChange } from '../market.ts';
import { fromFillRecord, journalAmount } from './fill-record.ts';
import { keepsOf } from './keeps.ts';

export function applyOpeningBalance({ books }: Durable, { asset, total }: PayloadOf<'opening-balance'>): void {
  books.ledger = post(books.ledger, openingEntry(new Map([[asset, journalAmount(total)]])));
}

export function applyOpened(durable: Durable, { venueAt, cursors }: PayloadOf<'opened'>): void {
  durable.books.opened = true;
  durable.books.openedAt = venueAt;
  for (const [symbol, cursor] of Object.entries(cursors)) beginMarket(durable, symbol, { cursor, from: venueAt });
}

export function applyMarketsOpened(
  durable: Durable,
  { venueAt, balances, markets }: PayloadOf<'markets-opened'>,
): void {
  const { books } = durable;
  const totals = Object.entries(balances).map(([asset, total]): [string, Amount] => [asset, journalAmount(total)]);
  if (totals.length > 0) books.ledger = post(books.ledger, openingEntry(new Map(totals)));
  for (const [asset] of totals) books.assetsOpened.set(asset, venueAt);
  for (const [symbol, start] of Object.entries(markets)) beginMarket(durable, symbol, start);
}

function beginMarket(durable: Durable, symbol: InstrumentSymbol, { cursor, from }: MarketStart): void {
  const market = marketToChange(durable, symbol);
  market.openedSince = from;
  if (!cursor) return;
  market.openingCursor = { tradeId: tradeId(cursor.tradeId), venueTime: cursor.venueTime };
  market.cursor = market.openingCursor;
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

/** The same amount between other totals is the same difference: a fill moved both. */
export function applyDifference(
  { differences }: Durable,
  { asset, expected, actual, at }: PayloadOf<'difference'>,
): void {
  const known = differences.byAsset.get(asset);
  const before = known === undefined ? NO_AMOUNT : confirmedAmount(known);
  const isSame = before === confirmedAmount({ expected, actual });
  differences.byAsset.set(asset, { expected, actual, since: known?.since ?? at });
  if (!isSame) differences.unexplainedSince = at;
}

export function applyReconciled({ differences }: Durable, { assets }: PayloadOf<'reconciled'>): void {
  for (const asset of assets ?? [...differences.byAsset.keys()]) differences.byAsset.delete(asset);
  noteExplained(differences);
}

function noteExplained(differences: Differences): void {
  if (differences.byAsset.size === 0) differences.unexplainedSince = null;
}

/** The asset begins anew, as with an opening. */
export function applyAccepted(durable: Durable, accepted: PayloadOf<'difference-accepted'>): void {
  const { books, differences } = durable;
  const { asset, amount, at, venueAt } = accepted;
  const flow = { asset, walletChange: journalAmount(amount), fee: NO_AMOUNT, reference: `accepted at ${at}` };
  books.ledger = post(books.ledger, externalFlowEntry({ ...flow, account: 'external:manual' }));
  books.acceptedAt.set(asset, venueAt);
  differences.byAsset.delete(asset);
  noteExplained(differences);
}

export function applyTransfer({ books }: Durable, payload: PayloadOf<'transfer'>): void {
  const { name, account, asset, walletChange, fee } = payload;
  const flow = { account, asset, walletChange: journalAmount(walletChange), fee: journalAmount(fee), reference: name };
  books.ledger = post(books.ledger, externalFlowEntry(flow));
  books.transfers.set(name, (books.transfers.get(name) ?? 0) + 1);
}

export function applyConversion(durable: Durable, payload: PayloadOf<'conversion'>): void {
  const { books } = durable;
  const booking = { fill: bookableOf(payload.fill, 'conversion'), origin: 'conversion' } as const;
  const keeps = keepsBeside(durable, payload);
  // Booked before, with other content: it was corrected.
  const before = bookedAs(books.conversions, booking.fill);
  const entry = before ? correctionEntry(before, booking, keeps) : fillEntry(books.ledger, { ...booking, keeps }, null);
  books.ledger = post(books.ledger, entry);
  books.conversions = bookTrade(books.conversions, booking);
}

/** It moves no cursor: the trades of its market are not read as those of a run are. */
export function applyOwnerTrade(durable: Durable, payload: PayloadOf<'owner-trade'>): void {
  const { books } = durable;
  const booking = { fill: bookableOf(payload.fill, 'trade'), origin: 'manual' } as const;
  const keeps = keepsBeside(durable, payload);
  books.ledger = post(books.ledger, fillEntry(books.ledger, { ...booking, keeps }, null));
  books.booked = bookTrade(books.booked, booking);
}

function keepsBeside(durable: Durable, { opening = [] }: OwnersTrade): Keeps {
  const keeps = keepsOf(durable);
  return (asset) => !opening.includes(asset) && keeps(asset);
}

function bookableOf(fill: FillRecord, what: 'conversion' | 'trade'): BookableFill {
  const checked = bookable(fromFillRecord(fill));
  invariant(checked.ok, () => `A ${what} of the journal is not bookable: ${checked.ok ? '' : checked.error}`);
  return checked.value;
}
