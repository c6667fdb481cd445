// Opens the ledger, and markets that were configured later: two wallets that agree, each followed by own trades that
// show that nothing moved while it was read. A ledger opened on one empty answer in an outage would differ forever. For
// an added market the two are a lag bound apart, and the assets that the ledger covers must agree: until then its
// trades count as those of a market without a run.
import type { Balance } from '../../domain/balance.ts';
import type { Fill } from '../../domain/fill.ts';
import { compareTradeIds } from '../../domain/ids.ts';
import type { Asset } from '../../domain/instrument.ts';
import { type Amount, amountText } from '../../ledger/amount.ts';
import type { Read } from '../../venue/outcomes.ts';
import { isAvailable } from '../contact/refusal.ts';
import type { MarketStart } from '../durable/hold-events.ts';
import { isSameTotals, judgedMarkets, needTradesAfter, totalsOf, tradesReadSince } from '../money/confirmed-wallet.ts';
import { markConfirmed } from '../money/known-trades.ts';
import type { Market } from '../state/market.ts';
import type { OpeningWallet, Reconciliation } from '../state/reconciliation.ts';
import { assetsOf, touchAll, unknownAssets, unopenedMarkets, venueTimeAt, type With } from '../state/state.ts';
import { need } from '../state/surfaces.ts';
import { emit, notice, type Step, type Turn } from '../state/turn.ts';

/** A market that the exchange does not list waits until it does: its trades may not be shown. */
const openableMarkets = (state: With<'durable' | 'markets'>): Market[] => unopenedMarkets(state).filter(isAvailable);

/** Counts own trades from before the opening: none of them is booked, and reading begins behind them. */
export function countTradesBefore(market: Market, rows: readonly Fill[], reconciliation: Reconciliation): void {
  for (const { tradeId, side, venueTime } of rows) {
    const key = `${tradeId} ${side}`;
    if (market.tradesBefore.has(key)) continue;
    market.tradesBefore.add(key);
    reconciliation.newTrades += 1;
    const { openingCursor: newest } = market;
    if (newest === null || compareTradeIds(tradeId, newest.tradeId) > 0) market.openingCursor = { tradeId, venueTime };
  }
}

/**
 * Keeps a wallet for a pending opening, unless one already waits for trades. Returns its totals of the assets that the
 * ledger lacks.
 */
export function keepOpeningWallet(
  turn: Step<'settings' | 'reconciliation'>,
  read: Read<readonly Balance[]>,
): ReadonlyMap<Asset, Amount> | null {
  const { state } = turn;
  const markets = openableMarkets(state);
  if (markets.length === 0) return new Map();
  const totals = totalsOf(turn, read.rows, unknownAssets(state, markets));
  const { reconciliation } = state;
  // While other markets trade, wallets come one after the other: one must be kept until the trades after it have been
  // read.
  if (totals === null || reconciliation.opening !== null) return totals;
  const { sentAt, receivedAt, rows } = read;
  reconciliation.opening = { sentAt, receivedAt, rows, totals, moves: reconciliation.newTrades };
  needTradesAfter([...markets, ...judgedMarkets(state)], receivedAt);
  return totals;
}

/**
 * Own trades of some symbol were read to their end: a pending opening may be proved now. In a market that was
 * configured later, its owner may have traded a moment ago, and lists may trail the wallet: the two wallets are a lag
 * bound apart. Other markets quote meanwhile. Their trades are read as well: a fee may be in an asset to be opened.
 */
export function judgeOpening(turn: Turn): void {
  const { state } = turn;
  const { reconciliation, durable } = state;
  const { opening, openingBefore: before } = reconciliation;
  const markets = openableMarkets(state);
  if (opening === null || markets.length === 0) return;
  if (!tradesReadSince([...markets, ...judgedMarkets(state)], opening.receivedAt)) return;
  reconciliation.opening = null;
  const stoodStill = opening.moves === reconciliation.newTrades;
  const isAdded = durable.books.opened;
  const agrees =
    stoodStill &&
    before !== null &&
    isSameTotals(before.totals, opening.totals) &&
    isOf(unknownAssets(state, markets), opening.totals) &&
    // Which of the two wallets includes trades listed in between is unknown.
    (!isAdded || (before.moves === reconciliation.newTrades && agreesElsewhere(state, markets, opening)));
  if (!agrees) {
    reconciliation.openingBefore = stoodStill ? opening : null;
    // Constant movement must not take the lane from markets at work.
    const isRestless = isAdded && (before !== null || !stoodStill);
    return need(state.wallet, turn.now + (isRestless ? state.settings.polling.walletMs : 0));
  }
  const showsAllAt = before.receivedAt + state.settings.assumptions.readLagBoundMs;
  if (isAdded && opening.sentAt < showsAllAt) return need(state.wallet, showsAllAt);
  reconciliation.openingBefore = null;
  open(turn, markets, opening);
  need(state.wallet, turn.now);
  touchAll(state);
}

/** The exchange may list or delist a market between wallet and trades. */
const isOf = (assets: ReadonlySet<Asset>, totals: ReadonlyMap<Asset, Amount>): boolean =>
  assets.size === totals.size && [...assets].every((asset) => totals.has(asset));

/** Whether a wallet from then on matches the ledger in each asset of these markets that it covers. */
function agreesElsewhere(
  state: With<'durable' | 'markets' | 'reconciliation'>,
  markets: readonly Market[],
  { sentAt }: OpeningWallet,
): boolean {
  const known = assetsOf(state);
  const assets = markets.flatMap(({ run: { instrument } }) => [instrument.base, instrument.quote]);
  return assets.every((asset) => !known.has(asset) || (state.reconciliation.equalIn.get(asset) ?? 0) >= sentAt);
}

/** In one event: a crash in between would leave balances without the trades that belong to them. */
function open(
  turn: Step<'reconciliation' | 'clock'>,
  added: readonly Market[],
  { totals, sentAt }: OpeningWallet,
): void {
  const { state, now } = turn;
  const { markets, reconciliation } = state;
  const isAdded = state.durable.books.opened;
  const venueAt = venueTimeAt(state, now);
  const balances = Object.fromEntries([...totals].map(([asset, total]) => [asset, amountText(total)]));
  const begin = ({ openingCursor: cursor }: Market): MarketStart => ({ cursor, from: venueAt });
  const beginnings = Object.fromEntries(added.map((market) => [market.symbol, begin(market)]));
  const later = isAdded ? { later: true as const } : {};
  emit(turn, { type: 'opened', payload: { at: now, venueAt, balances, markets: beginnings, ...later } });
  const held = Object.entries(balances).map(([asset, total]) => `${total} ${asset}`);
  const words = held.length === 0 ? 'its assets were known' : `with ${held.join(', ')}`;
  const names = added.map(({ symbol }) => symbol).join(', ');
  const message = isAdded
    ? `${names} was configured since the ledger was opened, and is opened now: ${words}.`
    : 'The ledger is opened with the balances of the wallet.';
  notice(turn, { level: 'info', op: 'opened', message });
  for (const asset of totals.keys()) reconciliation.equalIn.set(asset, sentAt);
  for (const market of markets.values()) market.tradesBefore.clear();
  if (isAdded) return;
  reconciliation.equalSentAt = sentAt;
  markConfirmed(state);
}
