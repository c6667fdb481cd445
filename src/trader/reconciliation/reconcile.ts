// Ledger against wallet. A wallet that equals the ledger, of now or of a moment before, proves itself. A difference is
// confirmed only when trades read before and after the wallet brought nothing new, and when it is older than the
// exchange's lists may lag.

import { type Balance, setAsideOf } from '../../domain/balance.ts';
import { Decimal, ZERO } from '../../domain/decimal.ts';
import type { Asset } from '../../domain/instrument.ts';
import { type DurationMs, type EpochMs, MINUTE } from '../../domain/time.ts';
import { type Amount, amountDecimal, amountText, NO_AMOUNT } from '../../ledger/amount.ts';
import { balanceOf, type Difference, differenceText } from '../../ledger/ledger.ts';
import type { Read } from '../../venue/outcomes.ts';
import { searchEndsAt } from '../contact/responsive.ts';
import { confirmedAmount } from '../durable/differences.ts';
import { marketIn } from '../durable/market.ts';
import { endActivityScan, wantActivityScan } from '../money/account-activity-scan.ts';
import { nameAccepted, noteReconciled } from '../money/accounted.ts';
import {
  equalsEarlier,
  isSameTotals,
  judgedMarkets,
  needTradesAfter,
  totalsOf,
  tradesReadSince,
} from '../money/confirmed-wallet.ts';
import { noteConfirmed } from '../money/late-trade-scan.ts';
import { differencesFrom } from '../money/market-onboarding.ts';
import { explainDifferences, setAside, suspenseOf } from '../money/unexplained.ts';
import { noteUntracked, recordUntracked } from '../money/untracked-assets.ts';
import { assetsOf } from '../state/markets.ts';
import type { ComparedWallet } from '../state/reconciliation.ts';
import { lagBoundMs, type TraderState, touch } from '../state/state.ts';
import { need, noteFailure, noteSuccess } from '../state/surfaces.ts';
import { emit, notice, type Turn } from '../state/turn.ts';
import { judgeOpening, needUnread, noteOpeningWallet, unreadSince } from './opening.ts';
import { noteStanding, type StillDiffering, standsSince, stillDiffering } from './standing.ts';

/** A wallet has come. Absent assets count as zero; an amount that is not exact makes the wallet useless. */
export function observeWallet(turn: Turn, read: Read<readonly Balance[]>): void {
  const { state } = turn;
  if (!read.complete) {
    noteFailure(state.wallet);
    notice(turn, {
      level: 'warn',
      op: 'read-failed',
      message: read.incompleteBecause ?? 'The wallet could not be read completely.',
    });
    return;
  }
  const totals = totalsOf(turn, read.rows, assetsOf(state));
  const toOpen = totals && noteOpeningWallet(turn, read);
  if (totals === null || (toOpen === null && !state.durable.books.opened)) return noteFailure(state.wallet);
  noteSuccess(state.wallet, read.sentAt);
  state.reconciliation.walletTotals = new Map([...totals, ...(toOpen ?? [])]);
  noteUntracked(state, read.rows);
  if (!state.durable.books.opened) return;
  const { sentAt, receivedAt, rows } = read;
  const differences = differencesFrom(state, totals);
  if (equals(state, differences, read.sentAt)) {
    becomeEqual(turn, read);
    return noteLockedByOthers(state, lockedByOthers(state, read.rows, differences));
  }
  state.reconciliation.differsSince ??= receivedAt;
  notifyUnjudged(turn, differences);
  if (isAsConfirmed(state, differences)) state.reconciliation.steadySentAt = read.sentAt;
  noteSuspect(state, { sentAt, receivedAt, rows, totals, differences });
  needTradesAfter(state, judgedMarkets(state), read.receivedAt);
}

/** The one before is kept for as long as its trades may take to show. */
function noteSuspect(state: TraderState, seen: ComparedWallet): void {
  const { reconciliation } = state;
  const from = seen.sentAt - lagBoundMs(state);
  reconciliation.earlier = [...reconciliation.earlier, seen]
    .filter(({ sentAt }) => sentAt >= from)
    .slice(-KEPT_WALLETS);
  reconciliation.suspect = seen;
}

/** More wallets than are asked for in a lag bound at the shipped intervals. */
const KEPT_WALLETS = 32;

/** The newest of the wallets that differed and equals now that trades were read after it; null where none does. */
function equalByNow(state: TraderState): ComparedWallet | null {
  const { earlier } = state.reconciliation;
  const markets = judgedMarkets(state);
  return (
    earlier.findLast(
      ({ totals, sentAt, receivedAt }) =>
        tradesReadSince(state, markets, receivedAt) && equals(state, differencesFrom(state, totals), sentAt),
    ) ?? null
  );
}

/**
 * Own trades that can't be read, of any symbol, keep a difference from being judged: people are notified all the same
 * that it stands (M2).
 */
function notifyUnjudged(turn: Turn, differences: readonly Difference[]): void {
  const { reconciliation, settings } = turn.state;
  const { differsSince, standing, unjudgedNotified } = reconciliation;
  if (differsSince === null || unjudgedNotified === differsSince || isAsConfirmed(turn.state, differences)) return;
  const since = Math.max(differsSince, ...[...standing.values()].map((each) => each.since));
  if (turn.now <= searchEndsAt(turn.state, since + settings.assumptions.readLagBoundMs, turn.now)) return;
  reconciliation.unjudgedNotified = differsSince;
  const words = differences.map(differenceText).join(' ');
  const message = `${words} It could not be judged: own trades of every symbol must be read for that.`;
  notice(turn, { level: 'page', op: 'difference-unjudged', message });
}

/** Whether the wallet differs by exactly the confirmed difference: nothing that is not booked has happened since. */
function isAsConfirmed({ durable }: TraderState, differences: readonly Difference[]): boolean {
  const confirmed = [...durable.differences.byAsset].map(([asset, each]): [Asset, Amount] => [
    asset,
    confirmedAmount(each),
  ]);
  return isSameTotals(new Map(confirmed), new Map(differences.map(({ asset, difference }) => [asset, difference])));
}

/** Whether a wallet equals the ledger, of now or of before the last trades. */
const equals = (state: TraderState, differences: readonly Difference[], sentAt: EpochMs): boolean =>
  differences.length === 0 || equalsEarlier(state, differences, sentAt);

function becomeEqual(turn: Turn, { sentAt, rows }: Pick<Read<readonly Balance[]>, 'sentAt' | 'rows'>): void {
  const { state } = turn;
  const { reconciliation } = state;
  reconciliation.equalSentAt = sentAt;
  recordUntracked(turn, rows);
  reconciliation.differsSince = null;
  reconciliation.standing = new Map();
  if ((reconciliation.suspect?.sentAt ?? 0) <= sentAt) reconciliation.suspect = null;
  reconciliation.earlier = reconciliation.earlier.filter((wallet) => wallet.sentAt > sentAt);
  // What it differed by has gone: it must not stand beside what is in suspense when lists are read.
  reconciliation.judged = null;
  state.session.acceptDifferences = false;
  noteConfirmed(state);
  noteReconciled(turn, sentAt);
  touch(state);
}

/** The same object while it says the same: what was computed from it stands then. */
function noteLockedByOthers({ wallet }: TraderState, byOthers: Map<Asset, Decimal>): void {
  if (!isSameLocked(byOthers, wallet.lockedByOthers)) wallet.lockedByOthers = byOthers;
}

/**
 * What the wallet locks beyond what our orders may have locked: the owner's own orders, withdrawals, staking.
 * `trailsBy`: what trades did to the ledger since the moment that the wallet shows.
 */
function lockedByOthers(
  state: TraderState,
  rows: readonly Balance[],
  trailsBy: readonly Difference[],
): Map<Asset, Decimal> {
  const { lockedIncludesStakingAndOtc } = state.settings.assumptions;
  const others = new Map<Asset, Decimal>();
  // What trades have taken since was locked for them.
  const taken = new Map(trailsBy.map(({ asset, difference }) => [asset, amountDecimal(difference)]));
  for (const row of rows) {
    const reserved = amountDecimal(balanceOf(state.durable.books.ledger, row.asset, 'reserved'));
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
  const { state } = turn;
  judgeOpening(turn);
  // They showed trades that had not been read yet.
  const equal = equalByNow(state);
  if (equal !== null) becomeEqual(turn, equal);
  const { suspect } = state.reconciliation;
  if (suspect === null || !tradesReadSince(state, judgedMarkets(state), suspect.receivedAt)) return;
  state.reconciliation.suspect = null;
  const still = stillDiffering(state, suspect);
  noteStanding(state, suspect, still);
  state.reconciliation.judged = suspect;
  if (explainDifferences(turn, still)) return need(state.wallet, turn.now);
  search(turn, suspect, still.differences);
  if (!still.isWhole) need(state.wallet, turn.now);
  confirmStanding(turn, suspect, still);
}

/**
 * Looks for what the wallet knows and the ledger lacks, once no wallet was equal for half the lag bound. The difference
 * may move with every trade: the late row (F42) is missing all the same. It may show only after the first scan.
 */
function search({ state, now }: Turn, { receivedAt }: ComparedWallet, differences: readonly Difference[]): void {
  const since = state.reconciliation.differsSince ?? receivedAt;
  const everyMs = state.settings.assumptions.readLagBoundMs / 2;
  if (differences.length === 0 || now < since + everyMs) return;
  // Beside a confirmed difference a scan is a long one.
  if (state.durable.differences.unexplainedSince === null) awaitLateScan(state, Math.max(since, now - everyMs), now);
  wantActivityScan(state, now, { assets: assetsIn(differences), everyMs: scanEveryMs(state) });
}

/** Confirms what has stood for the lag bound, asset by asset. */
function confirmStanding(turn: Turn, wallet: ComparedWallet, { differences, settled }: StillDiffering): void {
  const { state, now } = turn;
  const { readLagBoundMs: boundMs } = state.settings.assumptions;
  // A second wallet must say the same: one that was asked for when everything before the first had to show. Until then
  // it is read when it is time: a wallet that trails must not take the lane from the orders.
  const next = Math.min(
    ...[...state.reconciliation.standing.values()]
      .map(({ since }) => since + boundMs)
      .filter((at) => at > wallet.sentAt),
  );
  if (Number.isFinite(next)) need(state.wallet, next);
  const hasStood = (asset: Asset): boolean => wallet.sentAt >= standsSince(state, asset) + boundMs;
  const stood = settled.filter(({ asset }) => hasStood(asset));
  const differing = assetsIn(differences);
  const agreed = [...state.reconciliation.standing]
    .filter(([asset, { difference }]) => difference === NO_AMOUNT && !differing.has(asset) && hasStood(asset))
    .map(([asset]) => asset);
  if (stood.length + agreed.length === 0) return;
  const unread = unreadSince(state, wallet, differences);
  if (unread.length > 0) {
    // It is judged once they are.
    state.reconciliation.suspect = wallet;
    return needUnread(state, unread, wallet.receivedAt);
  }
  const since = Math.max(...[...stood.map(({ asset }) => asset), ...agreed].map((asset) => standsSince(state, asset)));
  // The first scans were early: a row that comes late, below the cursor, is in none of the pages read since (F42), and
  // one of a transfer in no list.
  if (awaitLateScan(state, since + boundMs, now)) return;
  if (isActivityAwaited(state, since, now)) return;
  noteAgreed(turn, agreed);
  for (const difference of stood) confirmDifference(turn, difference);
  // What a person said is of what he saw: what moves later is new, also where no wallet is equal in between.
  if (stood.length === differences.length) state.session.acceptDifferences = false;
  const { unexplainedSince, byAsset: confirmed } = state.durable.differences;
  // Once it is confirmed the scan is a long one.
  if (unexplainedSince !== null && awaitLateScan(state, unexplainedSince, now)) return;
  const deadline = searchEndsAt(state, unexplainedSince ?? now, now);
  if (confirmed.size > 0 && now > deadline) setAside(turn, stood);
}

const assetsIn = (differences: readonly Difference[]): Set<Asset> => new Set(differences.map(({ asset }) => asset));

/**
 * Wants a late-trade scan of every market in which none that was answered left since `moment`: it finds late rows, and
 * trades that were taken back. True while one is awaited; a symbol without a cursor has no row below it.
 */
function awaitLateScan(state: TraderState, moment: EpochMs, now: EpochMs): boolean {
  let awaited = false;
  for (const [symbol, { trades: surface }] of state.markets) {
    if (marketIn(state.durable, symbol).cursor === null || (surface.lateScanSentAt ?? 0) >= moment) continue;
    surface.lateScanFrom ??= now;
    awaited = true;
  }
  return awaited;
}

/**
 * Whether a scan of the activity that began once all had to show is still to be read to its end. Where that can't be
 * done in time, a loss is told all the same.
 */
function isActivityAwaited(state: TraderState, since: EpochMs, now: EpochMs): boolean {
  const { readFrom } = state.activityScan;
  const isRead = readFrom !== null && readFrom >= since + state.settings.assumptions.readLagBoundMs;
  return !isRead && now <= searchEndsAt(state, since, now);
}

/** What shows at all shows within the lag: a few looks on the way there. */
function scanEveryMs({ settings }: TraderState): DurationMs {
  return Math.max(settings.polling.walletMs, settings.assumptions.readLagBoundMs / 4);
}

/** The lists of transfers and conversions were read: they may explain what the last judged wallet showed. */
export function judgeActivity(turn: Turn): void {
  const { state } = turn;
  const { judged } = state.reconciliation;
  nameAccepted(turn);
  // What is in suspense can be explained without a difference, after a restart as well.
  const still = judged === null ? { settled: [], isWhole: true } : stillDiffering(state, judged);
  if (!explainDifferences(turn, still)) return;
  endActivityScan(state);
  need(state.wallet, turn.now);
}

/** While something is in suspense its explanation is looked for now and then. */
export function lookForSuspense({ state, now }: Turn): void {
  if (state.durable.differences.unexplainedSince === null || state.phase === 'stopping') return;
  const suspense = suspenseOf(state);
  if (suspense.size === 0) return;
  const everyMs = Math.max(SUSPENSE_SCAN_MS, state.settings.assumptions.readLagBoundMs);
  wantActivityScan(state, now, { assets: new Set(suspense.keys()), everyMs });
}

const SUSPENSE_SCAN_MS = 10 * MINUTE;

/** What was told of an asset in which the wallet has agreed for as long as the rest has stood is over. */
function noteAgreed(turn: Turn, assets: readonly Asset[]): void {
  if (assets.length === 0) return;
  emit(turn, { type: 'reconciled', payload: { assets, at: turn.now } });
  const message = `Ledger and wallet agree again in ${assets.join(', ')}, to the last digit.`;
  notice(turn, { level: 'info', op: 'reconciled', message });
  touch(turn.state);
}

function confirmDifference(turn: Turn, difference: Difference): void {
  if (turn.state.session.acceptDifferences) return accept(turn, difference);
  const known = turn.state.durable.differences.byAsset.get(difference.asset);
  const expected = amountText(difference.expected);
  const actual = amountText(difference.actual);
  if (known && known.expected === expected && known.actual === actual) return;
  emit(turn, { type: 'difference', payload: { asset: difference.asset, expected, actual, at: turn.now } });
  const wasNotified = known !== undefined && confirmedAmount(known) === difference.difference;
  notice(turn, {
    level: wasNotified ? 'debug' : 'page',
    op: 'difference',
    message: `${differenceText(difference)} Quoting stops until they agree.`,
  });
  touch(turn.state);
}

/** Booked as external: it moves the wallet, and is no profit of the bot's. */
function accept(turn: Turn, { asset, difference }: Difference): void {
  const amount = amountText(difference);
  emit(turn, { type: 'difference-accepted', payload: { asset, amount, at: turn.now } });
  const message = `${amount} ${asset} are booked as the owner's own doing, as a person asked.`;
  notice(turn, { level: 'warn', op: 'difference-accepted', message });
  touch(turn.state);
}
