// Ledger against wallet. A wallet that matches the current or an earlier ledger confirms it. A difference is confirmed
// only when trades read before and after the wallet brought nothing new, and when it is older than the exchange's lists
// may lag.
import { type Balance, setAsideOf } from '../../domain/balance.ts';
import { Decimal, ZERO } from '../../domain/decimal.ts';
import type { Asset } from '../../domain/instrument.ts';
import { type EpochMs, MINUTE } from '../../domain/time.ts';
import { type Amount, amountDecimal, amountText, NO_AMOUNT, subtract } from '../../ledger/amount.ts';
import { compare, type Difference, differenceText } from '../../ledger/ledger.ts';
import type { Read } from '../../venue/outcomes.ts';
import { searchEndsAt } from '../contact/responsive.ts';
import { confirmedAmount, type Differences } from '../durable/books.ts';
import { reservedIn } from '../durable/intent.ts';
import { marketIn } from '../durable/market.ts';
import { endActivityScan, wantActivityScan } from '../money/account-activity-scan.ts';
import { equalsEarlier, judgedMarkets, needTradesAfter, totalsOf, tradesReadSince } from '../money/confirmed-wallet.ts';
import { markConfirmed } from '../money/known-trades.ts';
import { bookListed } from '../money/listed-flows.ts';
import type { ComparedWallet } from '../state/reconciliation.ts';
import { assetsOf, lagBoundMs, type TraderState, touchAll, venueTimeAt, type With } from '../state/state.ts';
import { countFailedRead, need, recordGoodRead, type WalletSurface } from '../state/surfaces.ts';
import { emit, notice, type Step, type Turn } from '../state/turn.ts';
import { judgeOpening, keepOpeningWallet } from './opening.ts';
import { type StillDiffering, standsSince, stillDiffering, updateStanding } from './standing.ts';

/** A wallet has come. Absent assets count as zero; an inexact amount makes the wallet useless. */
export function observeWallet(turn: Turn, read: Read<readonly Balance[]>): void {
  const { state } = turn;
  if (!read.complete) {
    countFailedRead(state.wallet);
    notice(turn, {
      level: 'warn',
      op: 'read-failed',
      message: read.incompleteBecause ?? 'The wallet could not be read completely.',
    });
    return;
  }
  const totals = totalsOf(turn, read.rows, assetsOf(state));
  const toOpen = totals && keepOpeningWallet(turn, read);
  if (totals === null || (toOpen === null && !state.durable.books.opened)) return countFailedRead(state.wallet);
  recordGoodRead(state.wallet, read.sentAt);
  state.reconciliation.walletTotals = new Map([...totals, ...(toOpen ?? [])]);
  if (!state.durable.books.opened) return;
  const { sentAt, receivedAt, rows } = read;
  const differences = compare(state.durable.books.ledger, totals);
  markEqualAssets(state, differences, sentAt);
  if (isAsConfirmed(state, differences, sentAt))
    updateLockedByOthers(state.wallet, lockedByOthers(state, rows, differences));
  if (equals(state, differences, sentAt)) return becomeEqual(turn, read);
  state.reconciliation.differsSince ??= receivedAt;
  notifyUnjudged(turn, differences);
  keepSuspect(state, { sentAt, receivedAt, rows, totals, differences });
  needTradesAfter(judgedMarkets(state), read.receivedAt);
}

/** Earlier wallets are kept for as long as their trades may take to show. */
function keepSuspect({ settings, reconciliation }: With<'settings' | 'reconciliation'>, seen: ComparedWallet): void {
  const from = seen.sentAt - lagBoundMs(settings);
  reconciliation.earlier = [...reconciliation.earlier, seen]
    .filter(({ sentAt }) => sentAt >= from)
    .slice(-KEPT_WALLETS);
  reconciliation.suspect = seen;
}

/** More wallets than are read in a lag bound at the shipped intervals. */
const KEPT_WALLETS = 32;

/** The newest wallet that differed and matches now that trades were read after it; null if none does. */
function equalByNow(
  state: With<'settings' | 'durable' | 'markets' | 'reconciliation' | 'clock'>,
): ComparedWallet | null {
  const { earlier } = state.reconciliation;
  const markets = judgedMarkets(state);
  return (
    earlier.findLast(
      ({ totals, sentAt, receivedAt }) =>
        tradesReadSince(markets, receivedAt) && equals(state, compare(state.durable.books.ledger, totals), sentAt),
    ) ?? null
  );
}

/** Unreadable own trades, of any symbol, keep a difference from being judged: people are notified of it anyway (M2). */
function notifyUnjudged(turn: Turn, differences: readonly Difference[]): void {
  const { reconciliation, settings } = turn.state;
  const { differsSince, standing, unjudgedNotified } = reconciliation;
  const isKnown = differences.every(({ asset, difference }) =>
    isConfirmed(turn.state.durable.differences, asset, difference),
  );
  if (differsSince === null || unjudgedNotified === differsSince || isKnown) return;
  const since = Math.max(differsSince, ...[...standing.values()].map((each) => each.since));
  if (turn.now <= searchEndsAt(turn.state, since + settings.assumptions.readLagBoundMs, turn.now)) return;
  reconciliation.unjudgedNotified = differsSince;
  const words = differences.map(differenceText).join(' ');
  const message = `${words} It could not be judged: own trades of every symbol must be read for that.`;
  notice(turn, { level: 'page', op: 'difference-unjudged', message });
}

/** Whether the wallet differs by the confirmed differences alone: nothing unbooked has happened since. */
function isAsConfirmed(
  state: With<'settings' | 'durable' | 'markets' | 'clock'>,
  differences: readonly Difference[],
  sentAt: EpochMs,
): boolean {
  const beyond = new Map(differences.map(({ asset, difference }) => [asset, difference]));
  for (const [asset, confirmed] of state.durable.differences.byAsset)
    beyond.set(asset, subtract(beyond.get(asset) ?? NO_AMOUNT, confirmedAmount(confirmed)));
  return (
    [...beyond.values()].every((amount) => amount === NO_AMOUNT) ||
    equalsEarlier(state, { differs: beyond, assets: assetsOf(state) }, sentAt)
  );
}

/**
 * Whether a wallet matches the current ledger, or the one before the last trades; the latter only without confirmed
 * differences.
 */
const equals = (
  state: With<'settings' | 'durable' | 'markets' | 'clock'>,
  differences: readonly Difference[],
  sentAt: EpochMs,
): boolean =>
  differences.length === 0 ||
  (state.durable.differences.byAsset.size === 0 && isAsConfirmed(state, differences, sentAt));

/** A symbol needs only its own two assets; an order's proof needs the assets without a confirmed difference. */
function markEqualAssets(
  state: With<'settings' | 'durable' | 'markets' | 'reconciliation' | 'clock'>,
  differences: readonly Difference[],
  sentAt: EpochMs,
): void {
  const { equalIn, steadySentAt } = state.reconciliation;
  if (isAsConfirmed(state, differences, sentAt))
    state.reconciliation.steadySentAt = Math.max(steadySentAt ?? 0, sentAt);
  const differs = new Map(differences.map(({ asset, difference }) => [asset, difference]));
  for (const asset of assetsOf(state)) {
    const amount = differs.get(asset) ?? NO_AMOUNT;
    const alone = { differs: new Map([[asset, amount]]), assets: new Set([asset]) };
    if (amount === NO_AMOUNT || equalsEarlier(state, alone, sentAt))
      equalIn.set(asset, Math.max(equalIn.get(asset) ?? 0, sentAt));
  }
}

function becomeEqual(turn: Turn, { sentAt, rows }: Pick<Read<readonly Balance[]>, 'sentAt' | 'rows'>): void {
  const { state } = turn;
  const { reconciliation } = state;
  reconciliation.equalSentAt = sentAt;
  markEqualAssets(state, [], sentAt);
  // Later movements belong to another difference.
  if (state.durable.differences.unexplainedSince === null) reconciliation.rowsWhenEqual = rows;
  reconciliation.differsSince = null;
  reconciliation.standing = new Map();
  if ((reconciliation.suspect?.sentAt ?? 0) <= sentAt) reconciliation.suspect = null;
  reconciliation.earlier = reconciliation.earlier.filter((wallet) => wallet.sentAt > sentAt);
  reconciliation.judged = null;
  state.session.acceptDifferences = false;
  markConfirmed(state);
  recordReconciled(turn);
  touchAll(state);
}

/** Recorded after a difference, and once per session: later changes are compared with that. */
function recordReconciled(turn: Step): void {
  const { differences, journal } = turn.state.durable;
  const differed = differences.byAsset.size > 0;
  if (!differed && journal.isCompared) return;
  emit(turn, { type: 'reconciled', payload: { at: turn.now } });
  if (!differed) return;
  notice(turn, { level: 'info', op: 'reconciled', message: 'Ledger and wallet agree again to the last digit.' });
}

/** Keeps the object while its content is the same: values computed from it stay valid. */
function updateLockedByOthers(wallet: WalletSurface, byOthers: Map<Asset, Decimal>): void {
  if (!isSameLocked(byOthers, wallet.lockedByOthers)) wallet.lockedByOthers = byOthers;
}

/**
 * The wallet's `locked` beyond what our orders may have locked: the owner's own orders, withdrawals, staking.
 * `trailsBy`: the ledger changes of trades since the wallet's state.
 */
function lockedByOthers(
  { settings, durable }: With<'settings' | 'durable'>,
  rows: readonly Balance[],
  trailsBy: readonly Difference[],
): Map<Asset, Decimal> {
  const { lockedIncludesStakingAndOtc } = settings.assumptions;
  const others = new Map<Asset, Decimal>();
  // Funds that trades have taken since were locked for them.
  const trailing = trailsBy.filter(({ asset }) => !durable.differences.byAsset.has(asset));
  const taken = new Map(trailing.map(({ asset, difference }) => [asset, amountDecimal(difference)]));
  for (const row of rows) {
    const reserved = amountDecimal(reservedIn(durable.orders, row.asset));
    const beyond = setAsideOf(row, lockedIncludesStakingAndOtc)
      .sub(reserved)
      .sub(Decimal.max(taken.get(row.asset) ?? ZERO, ZERO));
    if (beyond.gt(0)) others.set(row.asset, beyond);
  }
  return others;
}

function isSameLocked(a: ReadonlyMap<Asset, Decimal>, b: ReadonlyMap<Asset, Decimal>): boolean {
  return a.size === b.size && [...a].every(([asset, locked]) => b.get(asset)?.eq(locked) === true);
}

/** Own trades of some symbol were read to their end: a waiting wallet may now be judged. */
export function judgeWallet(turn: Turn): void {
  judgeSuspect(turn);
  judgeOpening(turn);
}

function judgeSuspect(turn: Turn): void {
  const { state } = turn;
  // The read trades were new.
  const equal = equalByNow(state);
  if (equal !== null) becomeEqual(turn, equal);
  const { suspect } = state.reconciliation;
  if (suspect === null || !tradesReadSince(judgedMarkets(state), suspect.receivedAt)) return;
  state.reconciliation.suspect = null;
  const still = stillDiffering(state, suspect);
  markEqualAssets(state, still.differences, suspect.sentAt);
  updateStanding(state, suspect, still);
  state.reconciliation.judged = suspect;
  if (bookListed(turn, still.settled)) return need(state.wallet, turn.now);
  search(state, suspect, still.differences, turn.now);
  if (!still.isWhole) need(state.wallet, turn.now);
  confirmStanding(turn, suspect, still);
}

/**
 * Searches for movements that the wallet has and the ledger lacks, once no wallet has matched for half the lag bound.
 * The difference may move with every trade: the late row (F42) is missing all the same. It may show only after the
 * first scan.
 */
function search(
  state: TraderState,
  { receivedAt, rows }: ComparedWallet,
  differences: readonly Difference[],
  now: EpochMs,
): void {
  const since = state.reconciliation.differsSince ?? receivedAt;
  const everyMs = state.settings.assumptions.readLagBoundMs / 2;
  if (differences.length === 0 || now < since + everyMs) return;
  // After a confirmed difference a scan is a long one.
  if (state.durable.differences.unexplainedSince === null) awaitLateScan(state, Math.max(since, now - everyMs), now);
  const isKnown = differences.every(({ asset, difference }) =>
    isConfirmed(state.durable.differences, asset, difference),
  );
  const { walletMs } = state.settings.polling;
  // A row that shows at all shows within the lag: a few scans on the way there, and then one now and then.
  const scanMs = isKnown ? Math.max(RARE_SCAN_MS, 2 * everyMs) : Math.max(walletMs, everyMs / 2);
  wantActivityScan(state, now, { assets: assetsIn(differences), rows, everyMs: scanMs });
}

const RARE_SCAN_MS = 10 * MINUTE;

function isConfirmed(differences: Differences, asset: Asset, difference: Amount): boolean {
  const confirmed = differences.byAsset.get(asset);
  return confirmed !== undefined && confirmedAmount(confirmed) === difference;
}

/** Confirms the differences that have stood for the lag bound, asset by asset. */
function confirmStanding(turn: Turn, wallet: ComparedWallet, { differences, settled }: StillDiffering): void {
  const { state, now } = turn;
  const { readLagBoundMs: boundMs } = state.settings.assumptions;
  // A second wallet must say the same, requested once everything before the first must show. Until then it is read at
  // its usual interval: a trailing wallet must not take the lane from the orders.
  const next = Math.min(
    ...[...state.reconciliation.standing.values()]
      .map(({ since }) => since + boundMs)
      .filter((at) => at > wallet.sentAt),
  );
  if (Number.isFinite(next)) need(state.wallet, next);
  const hasStood = (asset: Asset): boolean => wallet.sentAt >= standsSince(state.reconciliation, asset) + boundMs;
  const stood = settled.filter(({ asset }) => hasStood(asset));
  const differing = assetsIn(differences);
  const agreed = [...state.reconciliation.standing]
    .filter(([asset, { difference }]) => difference === NO_AMOUNT && !differing.has(asset) && hasStood(asset))
    .map(([asset]) => asset);
  if (stood.length + agreed.length === 0) return;
  const since = Math.max(
    ...[...stood.map(({ asset }) => asset), ...agreed].map((asset) => standsSince(state.reconciliation, asset)),
  );
  // The first scans were early: a row that comes late, below the cursor, is in none of the pages read since (F42), and
  // a late transfer is in no list.
  if (awaitLateScan(state, since + boundMs, now)) return;
  if (isActivityAwaited(state, since, now)) return;
  recordAgreed(turn, agreed);
  for (const difference of stood) {
    if (state.session.acceptDifferences) accept(turn, difference);
    else confirmDifference(turn, difference);
  }
  // The person accepted the differences that he saw: later ones are new, even if no wallet matches in between.
  if (stood.length === differences.length) state.session.acceptDifferences = false;
  // Once it is confirmed, the scan is a long one.
  const { unexplainedSince } = state.durable.differences;
  if (unexplainedSince !== null) awaitLateScan(state, unexplainedSince, now);
}

const assetsIn = (differences: readonly Difference[]): Set<Asset> => new Set(differences.map(({ asset }) => asset));

/**
 * Requests a late-trade scan of every market without an answered one that left since `moment`: it finds late rows, and
 * trades that were taken back. True while one is awaited; a symbol without a cursor has no row below it.
 */
function awaitLateScan({ durable, markets }: With<'durable' | 'markets'>, moment: EpochMs, now: EpochMs): boolean {
  let awaited = false;
  for (const [symbol, { trades: surface }] of markets) {
    if (marketIn(durable, symbol).cursor === null || (surface.lateScanSentAt ?? 0) >= moment) continue;
    surface.lateScanFrom ??= now;
    awaited = true;
  }
  return awaited;
}

/**
 * Whether an activity scan that began once everything had to show still has to be completed. If that can't be done in
 * time, a loss is reported anyway.
 */
function isActivityAwaited(state: TraderState, since: EpochMs, now: EpochMs): boolean {
  const { readFrom } = state.activityScan;
  const isRead = readFrom !== null && readFrom >= since + state.settings.assumptions.readLagBoundMs;
  return !isRead && now <= searchEndsAt(state, since, now);
}

/** A list of transfers or simple trades was read: its rows are booked. */
export function judgeActivity(turn: Turn): void {
  const { state } = turn;
  const { judged } = state.reconciliation;
  if (!bookListed(turn, judged === null ? [] : stillDiffering(state, judged).settled)) return;
  // The difference is explained: the remaining lists need not be read.
  if (judged !== null && stillDiffering(state, judged).differences.length === 0) endActivityScan(state.activityScan);
  need(state.wallet, turn.now);
}

/** Ends the notified difference in each asset in which the wallet has agreed for as long as the others have stood. */
function recordAgreed(turn: Step, assets: readonly Asset[]): void {
  if (assets.length === 0) return;
  emit(turn, { type: 'reconciled', payload: { assets, at: turn.now } });
  const message = `Ledger and wallet agree again in ${assets.join(', ')}, to the last digit.`;
  notice(turn, { level: 'info', op: 'reconciled', message });
  touchAll(turn.state);
}

function confirmDifference(turn: Step, difference: Difference): void {
  const known = turn.state.durable.differences.byAsset.get(difference.asset);
  const expected = amountText(difference.expected);
  const actual = amountText(difference.actual);
  if (known && known.expected === expected && known.actual === actual) return;
  emit(turn, { type: 'difference', payload: { asset: difference.asset, expected, actual, at: turn.now } });
  const wasNotified = known !== undefined && confirmedAmount(known) === difference.difference;
  notice(turn, {
    level: wasNotified ? 'debug' : 'page',
    op: 'difference',
    message: `${differenceText(difference)} Symbols of ${difference.asset} are not quoted until they agree.`,
  });
  touchAll(turn.state);
}

/**
 * Booked as external: it moves the wallet and counts as no profit of the bot's. The asset begins anew with this wallet.
 */
function accept(turn: Step<'wallet' | 'clock'>, { asset, difference }: Difference): void {
  const { state, now: at } = turn;
  const amount = amountText(difference);
  const payload = { kind: 'accepted', asset, amount, at, venueAt: venueTimeAt(state, at) } as const;
  emit(turn, { type: 'external-flow', payload });
  need(state.wallet, at);
  const message = `${amount} ${asset} are booked as the owner's own doing, as a person asked.`;
  notice(turn, { level: 'warn', op: 'difference-accepted', message });
  touchAll(turn.state);
}
