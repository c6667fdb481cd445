// Openings, differences and flows change the books.
import { tradeId } from '../../../domain/ids.ts';
import type { Asset } from '../../../domain/instrument.ts';
import { type Amount, exactAmount, NO_AMOUNT } from '../../../ledger/amount.ts';
import { addTrade, bookedAs } from '../../../ledger/booked-trades.ts';
import { correctionEntry, externalFlowEntry, fillEntry, openingEntry } from '../../../ledger/fill-entries.ts';
import { post } from '../../../ledger/ledger.ts';
import { confirmedAmount, type Differences } from '../books.ts';
import { type Durable, keepsOf } from '../durable.ts';
import type { FlowRecord, PayloadOf } from '../events.ts';
import { type DurableMarket, marketToChange } from '../market.ts';
import { bookableOf } from './fill-record.ts';

export function applyOpened(durable: Durable, { venueAt, later, balances, markets }: PayloadOf<'opened'>): void {
  const { books } = durable;
  const totals = Object.entries(balances).map(([asset, total]): [string, Amount] => [asset, exactAmount(total)]);
  if (totals.length > 0) books.ledger = post(books.ledger, openingEntry(new Map(totals)));
  if (later) for (const [asset] of totals) books.assetsOpened.set(asset, venueAt);
  else Object.assign(books, { opened: true, openedAt: venueAt });
  for (const [symbol, { cursor, from }] of Object.entries(markets)) {
    const market = marketToChange(durable, symbol);
    market.openedSince = from;
    if (cursor === null) continue;
    market.openingCursor = { tradeId: tradeId(cursor.tradeId), venueTime: cursor.venueTime };
    market.cursor = market.openingCursor;
  }
}

export function applyGap(durable: Durable, { symbol, until }: PayloadOf<'trades-gap'>): void {
  marketToChange(durable, symbol).gapUntil = until;
}

/** A person accepted that trades may be missing: the market becomes one that was just opened without a trade. */
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
  clearExplained(differences);
}

function clearExplained(differences: Differences): void {
  if (differences.byAsset.size === 0) differences.unexplainedSince = null;
}

type Flow<K extends FlowRecord['kind']> = Extract<FlowRecord, { kind: K }>;

export function applyFlow(durable: Durable, flow: FlowRecord): void {
  switch (flow.kind) {
    case 'transfer':
      return applyTransfer(durable, flow);
    case 'accepted':
      return applyAccepted(durable, flow);
    default:
      return applyTradeBeside(durable, flow);
  }
}

/** The asset begins anew, as at an opening. */
function applyAccepted(durable: Durable, accepted: Flow<'accepted'>): void {
  const { books, differences } = durable;
  const { asset, amount, venueAt } = accepted;
  const flow = { asset, walletChange: exactAmount(amount), fee: NO_AMOUNT };
  books.ledger = post(books.ledger, externalFlowEntry({ ...flow, account: 'external:manual' }));
  books.acceptedAt.set(asset, venueAt);
  differences.byAsset.delete(asset);
  clearExplained(differences);
}

function applyTransfer({ books }: Durable, { name, account, asset, walletChange, fee }: Flow<'transfer'>): void {
  const flow = { account, asset, walletChange: exactAmount(walletChange), fee: exactAmount(fee) };
  books.ledger = post(books.ledger, externalFlowEntry(flow));
  books.transfers.set(name, (books.transfers.get(name) ?? 0) + 1);
}

/** Moves no cursor: trades of this market are not read like those of a run. */
function applyTradeBeside(durable: Durable, { kind, fill, opening = [] }: Flow<'conversion' | 'owner-trade'>): void {
  const { books } = durable;
  const booking = { fill: bookableOf(fill), origin: kind === 'conversion' ? kind : 'manual' } as const;
  const keepsAny = keepsOf(durable);
  const keeps = (asset: Asset): boolean => !opening.includes(asset) && keepsAny(asset);
  // A simple trade booked earlier with other content was corrected.
  const before = kind === 'conversion' ? bookedAs(books.conversions, booking.fill) : null;
  const entry = before ? correctionEntry(before, booking, keeps) : fillEntry(booking, keeps);
  books.ledger = post(books.ledger, entry);
  addTrade(kind === 'conversion' ? books.conversions : books.booked, booking);
}
