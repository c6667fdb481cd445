// Openings, differences and flows change the books.
import { tradeId } from '../../../domain/ids.ts';
import type { InstrumentSymbol } from '../../../domain/instrument.ts';
import { invariant } from '../../../domain/invariant.ts';
import { type Amount, NO_AMOUNT, negate } from '../../../ledger/amount.ts';
import { bookedAs, bookTrade } from '../../../ledger/booked-trades.ts';
import {
  type BookableFill,
  bookable,
  correctionEntry,
  externalFlowEntry,
  fillEntry,
  type Keeps,
  openingEntry,
  suspenseEntry,
} from '../../../ledger/fill-entries.ts';
import { post, totalsOf } from '../../../ledger/ledger.ts';
import type { Books } from '../books.ts';
import { ACCEPTED_REMEMBERED, type Accepted, confirmedAmount } from '../differences.ts';
import type { Durable } from '../durable.ts';
import type { FillRecord, OwnersTrade, PayloadOf } from '../events.ts';
import type { MarketStart } from '../hold-events.ts';
import { type DurableMarket, marketToChange } from '../market.ts';
import { fromFillRecord, journalAmount } from './fill-record.ts';
import { keepsOf } from './keeps.ts';

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

/** The same amount between other totals is the same difference: a fill moved both. */
export function applyDifference(
  { differences }: Durable,
  { asset, expected, actual, at }: PayloadOf<'difference'>,
): void {
  const known = differences.byAsset.get(asset);
  const found = { expected, actual };
  differences.byAsset.set(asset, found);
  if (known === undefined || confirmedAmount(known) !== confirmedAmount(found)) differences.unexplainedSince = at;
}

export function applyReconciled(durable: Durable, { assets, accountedTo, pending }: PayloadOf<'reconciled'>): void {
  const { books, differences } = durable;
  for (const asset of assets ?? [...differences.byAsset.keys()]) differences.byAsset.delete(asset);
  differences.accountedTo = accountedTo ?? differences.accountedTo;
  if (pending !== undefined) Object.assign(books, { unproven: null, pending: new Set(pending) });
  noteExplained(durable);
}

export function applySuspense(durable: Durable, { asset, amount, at }: PayloadOf<'suspense'>): void {
  const { books, differences } = durable;
  books.ledger = post(books.ledger, suspenseEntry(asset, journalAmount(amount), `at ${at}`));
  differences.unexplainedSince ??= at;
  differences.accountedTo = null;
  noteExplained(durable);
}

function noteExplained({ differences, books }: Durable): void {
  if (differences.byAsset.size === 0 && totalsOf(books.ledger, 'suspense').size === 0)
    differences.unexplainedSince = null;
}

export function applyAccepted(durable: Durable, payload: PayloadOf<'difference-accepted'>): void {
  const { accepted, byAsset } = durable.differences;
  const entry: Accepted = { asset: payload.asset, amount: journalAmount(payload.amount), at: payload.at };
  bookAccepted(durable.books, entry);
  accepted.push(entry);
  accepted.splice(0, Math.max(0, accepted.length - ACCEPTED_REMEMBERED));
  byAsset.delete(entry.asset);
  durable.differences.accountedTo = null;
  noteExplained(durable);
}

/** What was accepted is named by a list: it is taken back here, and booked as what it was by another event. */
export function applyNamed(
  { books, differences: { accepted } }: Durable,
  { acceptedAt, assets }: PayloadOf<'acceptance-named'>,
): void {
  const named = accepted.filter(({ asset, at }) => at === acceptedAt && assets.includes(asset));
  for (const each of named) bookAccepted(books, { ...each, amount: negate(each.amount) });
  const left = accepted.filter((each) => !named.includes(each));
  accepted.splice(0, accepted.length, ...left);
}

function bookAccepted(books: Books, { asset, amount, at }: Accepted): void {
  const flow = { asset, walletChange: amount, fee: NO_AMOUNT, reference: `accepted at ${at}` };
  books.ledger = post(books.ledger, externalFlowEntry({ ...flow, account: 'external:manual' }));
}

export function applyUntracked({ differences }: Durable, { totals }: PayloadOf<'held-elsewhere'>): void {
  const changed = totals.map(([asset, total]) => [asset, journalAmount(total)] as const);
  const held = [...new Map([...differences.untracked, ...changed])];
  differences.untracked = new Map(held.filter(([, total]) => total !== NO_AMOUNT));
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
