// Opening the ledger, and markets that were configured later: two wallets that say the same, with own trades read after
// each that show that nothing moved while it was read. A ledger that is opened on one empty answer in an outage would
// differ for ever. A market that is added to it waits for the lag bound between the two.
import type { Balance } from '../../domain/balance.ts';
import type { Fill } from '../../domain/fill.ts';
import { type Asset, type InstrumentSymbol, parseSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { type Amount, amountText, NO_AMOUNT, subtract } from '../../ledger/amount.ts';
import type { Difference } from '../../ledger/ledger.ts';
import type { Read } from '../../venue/outcomes.ts';
import { isAvailable } from '../contact/refusal.ts';
import type { Books } from '../durable/books.ts';
import { flowOfTrade } from '../durable/external-flow.ts';
import type { DurableOrders } from '../durable/intent.ts';
import { accountedTo, forgetTransfersRead } from '../money/accounted.ts';
import { isSameTotals, judgedMarkets, needTradesAfter, totalsOf, tradesReadSince } from '../money/confirmed-wallet.ts';
import { noteConfirmed } from '../money/late-trade-scan.ts';
import { bookTradeBeside } from '../money/listed-flows.ts';
import { type Beginning, beginningOf, missedUntil, movedBy, openedSinceTrade } from '../money/market-onboarding.ts';
import type { ComparedWallet } from '../state/reconciliation.ts';
import { marketOf, type TraderState, touch, unknownAssets, unopenedMarkets, venueTimeAt } from '../state/state.ts';
import { need } from '../state/surfaces.ts';
import { emit, notice, type Turn } from '../state/turn.ts';
import { bookAll } from '../trades/book-trades.ts';

/**
 * One that the exchange does not list waits until it does: its trades may not be shown, and the others would wait for
 * them.
 */
const openableMarkets = (state: TraderState): InstrumentSymbol[] =>
  unopenedMarkets(state).filter((symbol) => isAvailable(marketOf(state, symbol)));

/**
 * Keeps a wallet for what is to be opened, where nothing waits for trades yet. Its totals of the assets that the ledger
 * does not know.
 */
export function noteOpeningWallet(turn: Turn, read: Read<readonly Balance[]>): ReadonlyMap<Asset, Amount> | null {
  const { state } = turn;
  const symbols = openableMarkets(state);
  if (symbols.length === 0) return new Map();
  const totals = totalsOf(turn, read.rows, unknownAssets(state, symbols));
  const { reconciliation } = state;
  // With other markets at work wallets come one after the other: one must be kept until the trades after it have been
  // read.
  if (totals === null || reconciliation.opening !== null) return totals;
  const { sentAt, receivedAt, rows } = read;
  reconciliation.opening = { sentAt, receivedAt, rows, totals, moves: reconciliation.newTrades };
  needTradesAfter(state, [...symbols, ...judgedMarkets(state)], receivedAt);
  return totals;
}

/**
 * Markets to be opened whose own trades are still to be read after a wallet that differs in an asset of theirs: it may
 * have a trade that no list has shown yet (seed 46039), or lack one that was taken back.
 */
export function unreadSince(
  state: TraderState,
  { receivedAt }: Pick<ComparedWallet, 'receivedAt'>,
  differences: readonly Difference[],
): InstrumentSymbol[] {
  const differing = new Set(differences.map(({ asset }) => asset));
  const concerned = openableMarkets(state).filter((symbol) => {
    const market = parseSymbol(symbol);
    return market !== null && (differing.has(market.base) || differing.has(market.quote));
  });
  return unreadOf(state, concerned, receivedAt);
}

/**
 * When the page of own trades has to leave that is to be read after that moment: a row that the last one lacked, and
 * had to show, may have been taken back, and a page of a lag bound later says so.
 */
const tellsFrom = (
  state: Pick<TraderState, 'settings' | 'markets'>,
  symbol: InstrumentSymbol,
  moment: EpochMs,
): EpochMs => Math.max(moment, missedUntil(state, symbol));

const unreadOf = (
  state: Pick<TraderState, 'settings' | 'markets'>,
  symbols: readonly InstrumentSymbol[],
  moment: EpochMs,
): InstrumentSymbol[] =>
  symbols.filter((symbol) => !tradesReadSince(state, [symbol], tellsFrom(state, symbol, moment)));

/** Has the own trades of these markets read, as far as they are to be read after that moment. */
export function needUnread(
  state: Pick<TraderState, 'settings' | 'markets'>,
  unread: readonly InstrumentSymbol[],
  moment: EpochMs,
): void {
  for (const symbol of unread) needTradesAfter(state, [symbol], tellsFrom(state, symbol, moment));
}

/**
 * Own trades of some symbol were read to their end: what is to be opened may be proved now. Where a market was
 * configured later its owner may have traded there a moment ago, and lists may trail the wallet: the two wallets are a
 * lag bound apart. Other markets quote meanwhile. Their trades are read as well: a fee may be in what is opened.
 */
export function judgeOpening(turn: Turn): void {
  const { state } = turn;
  const { reconciliation } = state;
  const { opening, openingBefore: before } = reconciliation;
  const symbols = openableMarkets(state);
  if (opening === null || symbols.length === 0) return;
  if (!tradesReadSince(state, [...symbols, ...judgedMarkets(state)], opening.receivedAt)) return;
  // A row that is missed would be booked.
  const unread = state.durable.books.opened ? unreadOf(state, symbols, opening.receivedAt) : [];
  if (unread.length > 0) return needUnread(state, unread, opening.receivedAt);
  reconciliation.opening = null;
  const stoodStill = opening.moves === reconciliation.newTrades;
  const isAdded = state.durable.books.opened;
  const agrees =
    stoodStill &&
    before !== null &&
    isSameTotals(before.totals, opening.totals) &&
    isOf(unknownAssets(state, symbols), opening.totals) &&
    // Of trades that were listed in between nobody knows which of the two wallets had them.
    (!isAdded || before.moves === reconciliation.newTrades);
  if (!agrees) {
    reconciliation.openingBefore = stoodStill ? opening : null;
    // What moves all the time must not take the lane from markets that are at work.
    const isRestless = isAdded && (before !== null || !stoodStill);
    return need(state.wallet, turn.now + (isRestless ? state.settings.polling.walletMs : 0));
  }
  const showsAllAt = before.receivedAt + state.settings.assumptions.readLagBoundMs;
  if (isAdded && opening.sentAt < showsAllAt) return need(state.wallet, showsAllAt);
  reconciliation.openingBefore = null;
  if (isAdded) openMarkets(turn, symbols, opening);
  else openLedger(turn, symbols, opening);
  need(state.wallet, turn.now);
  touch(state);
}

/** The exchange may list a market, or list it no longer, between wallet and trades. */
const isOf = (assets: ReadonlySet<Asset>, totals: ReadonlyMap<Asset, Amount>): boolean =>
  assets.size === totals.size && [...assets].every((asset) => totals.has(asset));

interface Proof {
  readonly sentAt: EpochMs;
  readonly totals: ReadonlyMap<Asset, Amount>;
}

function openLedger(turn: Turn, symbols: readonly InstrumentSymbol[], { totals, sentAt }: Proof): void {
  const { state, now } = turn;
  const venueAt = venueNow(state, now);
  const beginOf = (symbol: InstrumentSymbol) => ({ cursor: marketOf(state, symbol).openingCursor, from: venueAt });
  emit(turn, {
    type: 'opened',
    payload: {
      at: now,
      venueAt,
      balances: balancesIn(totals),
      markets: Object.fromEntries(symbols.map((symbol) => [symbol, beginOf(symbol)])),
      accountedTo: accountedTo(state.settings.assumptions, sentAt),
    },
  });
  notice(turn, { level: 'info', op: 'opened', message: 'The ledger is opened with the balances of the wallet.' });
  for (const market of state.markets.values()) market.onboarding = null;
  state.reconciliation.equalSentAt = sentAt;
  for (const asset of totals.keys()) state.reconciliation.equalIn.set(asset, sentAt);
  noteConfirmed(state);
  forgetTransfersRead(state.activityScan, now);
}

const balancesIn = (totals: ReadonlyMap<Asset, Amount>): Record<Asset, string> =>
  Object.fromEntries([...totals].map(([asset, total]) => [asset, amountText(total)]));

const venueNow = (state: Pick<TraderState, 'clock'>, now: EpochMs): EpochMs => venueTimeAt(state, now);

/** In one event: a crash in between would leave balances without the trades that belong to them. */
function openMarkets(turn: Turn, symbols: readonly InstrumentSymbol[], { totals, sentAt }: Proof): void {
  const { state, now } = turn;
  const venueAt = venueNow(state, now);
  for (const symbol of symbols) bookBeside(turn, beginningOf(state, symbol, venueAt).later);
  const { beginnings, balances } = opened(state, symbols, { totals, venueAt });
  emit(turn, {
    type: 'opened',
    payload: {
      at: now,
      venueAt,
      later: true,
      balances: balancesIn(balances),
      markets: Object.fromEntries([...beginnings].map(([symbol, { cursor, from }]) => [symbol, { cursor, from }])),
      accountedTo: accountedTo(state.settings.assumptions, sentAt),
    },
  });
  const held = [...balances].map(([asset, total]) => `${amountText(total)} ${asset}`).join(', ');
  const words = held === '' ? 'its assets were known' : `with ${held}`;
  const message = `${symbols.join(', ')} was configured since the ledger was opened, and is opened now: ${words}.`;
  notice(turn, { level: 'info', op: 'opened', message });
  for (const asset of totals.keys()) state.reconciliation.equalIn.set(asset, sentAt);
  for (const [symbol, { later }] of beginnings) bookAll(turn, symbol, later);
  for (const market of state.markets.values()) market.onboarding = null;
  forgetTransfersRead(state.activityScan, now);
}

/**
 * Trades of before the opening of an asset that they moved, with another market: it has that. They are booked before
 * their own market is opened, so that a crash in between leaves nothing that is counted twice.
 */
function bookBeside(turn: Turn, fills: readonly Fill[]): void {
  for (const fill of fills) {
    const opening = openedSinceTrade(turn.state.durable.books, fill);
    const flow = opening.length === 0 || isOurs(turn.state.durable.orders, fill) ? null : flowOfTrade(fill);
    if (flow !== null) bookTradeBeside(turn, flow, opening);
  }
}

/** An order that was taken over. */
const isOurs = (orders: DurableOrders, { orderId }: Fill): boolean => orders.byOrderId.has(orderId);

/**
 * Where each market begins, and with what. Trades since the bot was last at work moved assets that the ledger knows,
 * and nothing has accounted for them: they are booked, and the opening is what was held before them. Where that can't
 * be (what was bought has been withdrawn since) reading begins behind the newest trade of the market that brought it.
 */
function opened(
  state: Pick<TraderState, 'durable' | 'markets'>,
  symbols: readonly InstrumentSymbol[],
  { totals, venueAt }: { readonly totals: ReadonlyMap<Asset, Amount>; readonly venueAt: EpochMs },
): { beginnings: Map<InstrumentSymbol, Beginning>; balances: ReadonlyMap<Asset, Amount> } {
  const beginnings = new Map(symbols.map((symbol) => [symbol, beginningOf(state, symbol, venueAt)]));
  for (;;) {
    const moved = movedBy(
      state.durable.books,
      [...beginnings.values()].flatMap(({ later }) => later),
    );
    const balances = new Map(
      [...totals].map(([asset, total]) => [asset, subtract(total, moved.get(asset) ?? NO_AMOUNT)]),
    );
    const short = [...balances].filter(([, total]) => total < 0n).map(([asset]) => asset);
    const bringing = symbols.filter((symbol) =>
      brought(state.durable.books, beginnings.get(symbol)?.later ?? [], short),
    );
    if (bringing.length === 0) return { beginnings, balances };
    for (const symbol of bringing)
      beginnings.set(symbol, { cursor: marketOf(state, symbol).openingCursor, from: venueAt, later: [] });
  }
}

/** Below zero is only what trades have brought more of than is there: those of some market did. */
const brought = (books: Books, fills: readonly Fill[], assets: readonly Asset[]): boolean =>
  [...movedBy(books, fills)].some(([asset, by]) => by > 0n && assets.includes(asset));
