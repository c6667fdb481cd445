// Up to when everything is accounted for, and what of before an opening still may not be: transfers that were on their
// way then, and what a wallet that trails does not show yet. It is known once the lists of transfers were read and a
// wallet of after that equals the ledger.
import type { Balance } from '../../domain/balance.ts';
import { type DurationMs, type EpochMs, MINUTE } from '../../domain/time.ts';
import type { Read } from '../../venue/outcomes.ts';
import type { ActivityScan, TransfersRead } from '../durable/activity-scan.ts';
import type { VenueAssumptions } from '../state/settings.ts';
import type { TraderState } from '../state/state.ts';
import { emit, notice, type Turn } from '../state/turn.ts';
import { transferLists, wantActivityScan } from './account-activity-scan.ts';
import { openedAtOf } from './listed-flows.ts';
import { changedElsewhere } from './untracked-assets.ts';

/** By our clock: what a wallet that was asked for then shows for sure. */
export const accountedTo = (assumptions: VenueAssumptions, sentAt: EpochMs): EpochMs =>
  sentAt - assumptions.readLagBoundMs;

/**
 * Something was opened: what was read of transfers before says nothing of what is on its way now, nor does a scan that
 * has begun.
 */
export function forgetTransfersRead(scan: ActivityScan, now: EpochMs): void {
  scan.transfersFrom = now;
  scan.transfersRead.clear();
}

/** A list that could not be read is asked for again after so long. */
const LISTS_AGAIN_MS: DurationMs = 10 * MINUTE;

/** Until each list of transfers was read since an opening, in whatever session, it is wanted. */
export function lookForPending(state: TraderState, now: EpochMs): void {
  if (state.durable.books.unproven === null || state.phase === 'stopping') return;
  // What differs has them read as well, and proves nothing meanwhile.
  if (transfersRead(state) !== null || state.reconciliation.differsSince !== null) return;
  const { begunAt, transfersFrom } = state.activityScan;
  const everyMs = (begunAt ?? 0) >= transfersFrom ? LISTS_AGAIN_MS : 0;
  wantActivityScan(state, now, { assets: new Set(), everyMs });
}

/** Null while one of them is still to be read. */
function transfersRead(state: TraderState): readonly TransfersRead[] | null {
  const lists = transferLists(state).map((name) => state.activityScan.transfersRead.get(name));
  return lists.every((list) => list !== undefined) ? lists : null;
}

/**
 * A wallet that equals the ledger. It is written down where they had differed, where it proves what was opened, where
 * no moment is known up to which all is accounted for, where it holds something else of assets that no run trades, and
 * once in a session: what comes later is compared with that.
 */
export function recordReconciled(
  turn: Turn,
  { sentAt, rows }: Pick<Read<readonly Balance[]>, 'sentAt' | 'rows'>,
): void {
  const { state, now } = turn;
  const { differences, journal } = state.durable;
  const pending = pendingAtProof(state, sentAt);
  const differed = differences.byAsset.size > 0;
  const isKnown = !differed && pending === null && journal.isCompared && differences.accountedTo !== null;
  const elsewhere = changedElsewhere(state, rows);
  if (isKnown && elsewhere.length === 0) return;
  emit(turn, {
    type: 'reconciled',
    payload: {
      at: now,
      ...(isKnown ? {} : { accountedTo: accountedTo(state.settings.assumptions, sentAt) }),
      ...(pending === null ? {} : { pending }),
      ...(elsewhere.length === 0 ? {} : { elsewhere }),
    },
  });
  if (!differed) return;
  notice(turn, { level: 'info', op: 'reconciled', message: 'Ledger and wallet agree again to the last digit.' });
}

/**
 * Names of transfers that began before their asset was opened and have not ended, where the wallet proves the opening:
 * it has all that the lists show that has ended. Null where it proves nothing.
 */
function pendingAtProof(state: TraderState, sentAt: EpochMs): string[] | null {
  const { books } = state.durable;
  const lists = books.unproven === null ? null : transfersRead(state);
  if (lists === null || lists.some(({ at }) => at > accountedTo(state.settings.assumptions, sentAt))) return null;
  const pending = lists.flatMap((list) => list.pending).filter((flow) => flow.kind === 'transfer');
  return pending.filter(({ asset, venueTime }) => venueTime < openedAtOf(books, asset)).map(({ name }) => name);
}
