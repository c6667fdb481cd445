// Each order's history from lists and cancels: when it was missing, shown, and last canceled. True time.
import { Decimal, ZERO } from '../../src/domain/decimal.ts';
import type { EpochMs } from '../../src/domain/time.ts';
import type { CheckContext } from '../checks/context.ts';
import type { JournalIntent, Told } from '../checks/journal-model.ts';
import { slackMs } from './bounds.ts';
import { namedReads } from './named-reads.ts';
import type { WireLog } from './wire-log.ts';

/** When a whole list without the order left, and in which process. */
interface Missed {
  readonly at: EpochMs;
  /** When that was recorded. */
  readonly writtenAt: EpochMs;
  readonly epoch: number;
}

export interface OrderTrail {
  /** `closing`: the named lists must lack the order. A sentence if they don't. */
  closing(context: CheckContext, intent: JournalIntent, told: Told): string | null;
  /** When the create was given up on, or refused. */
  lost(context: CheckContext, intent: JournalIntent): void;
  lostAt(intent: JournalIntent): EpochMs;
  missed(intent: JournalIntent): Missed | null;
  /** When this process's last list that shows it left. */
  shownAt(intent: JournalIntent): EpochMs;
  /** The largest filled quantity that a list of this process shows. */
  shownFilled(intent: JournalIntent): Decimal;
  /** An acknowledged cancel of the order was recorded. */
  acknowledged(context: CheckContext, intent: JournalIntent): void;
  /**
   * When a cancel of it was first acknowledged in this process; null if never. A cancel that a list contradicts does
   * not count: the list shows the order, and left after the cancel's effect by more than lists trail.
   */
  canceledAt(context: CheckContext, intent: JournalIntent): EpochMs | null;
  forget(intent: JournalIntent): void;
}

export function createOrderTrail(log: WireLog): OrderTrail {
  const missed = new Map<string, Missed>();
  const lost = new Map<string, EpochMs>();
  const acknowledged = new Map<string, EpochMs>();
  const shownAt = ({ orderId }: JournalIntent): EpochMs =>
    log.orders.reduce(
      (at, { sentAt, rows }) => (rows.some((row) => row.orderId === orderId) ? Math.max(at, sentAt) : at),
      0,
    );
  return {
    closing(context, intent, { payload, epoch }) {
      const named = namedReads(log, intent.symbol, payload.reads);
      const [list] = named?.orders ?? [];
      if (list === undefined) return 'names no list that lacks it';
      missed.set(intent.intentId, { at: list.sentAt, writtenAt: context.now(), epoch });
      if (!list.whole) return 'names a list that is not whole';
      if (list.rows.some(({ orderId }) => orderId === intent.orderId)) return 'names a list that shows it';
      return null;
    },
    lost: (context, { intentId }) => void lost.set(intentId, context.now()),
    lostAt: ({ intentId }) => lost.get(intentId) ?? 0,
    missed: ({ intentId }) => missed.get(intentId) ?? null,
    shownAt,
    shownFilled: ({ orderId }) =>
      log.orders
        .flatMap(({ rows }) => rows.filter((row) => row.orderId === orderId))
        .reduce((most, { executedQuantity }) => Decimal.max(most, executedQuantity), ZERO),
    acknowledged: (context, { intentId }) => void acknowledged.set(intentId, context.now()),
    canceledAt({ settings: { assumptions } }, intent) {
      const { orderId, symbol, intentId } = intent;
      // A suspended process learned of it when it wrote it down.
      const heardAt = acknowledged.get(intentId) ?? 0;
      const { venueInternalLagMs, readLagBoundMs } = assumptions;
      const mayTrailMs = venueInternalLagMs + readLagBoundMs + slackMs(readLagBoundMs);
      const isBelied = (takenAt: EpochMs): boolean => shownAt(intent) >= Math.max(takenAt, heardAt) + mayTrailMs;
      // A fence that left before the order is no cancel of it.
      const taken = log.cancels.flatMap(({ target, sentAt, takenAt }) => {
        const isIts = target === orderId || (target === symbol && sentAt >= intent.at);
        return isIts && takenAt !== null && !isBelied(takenAt) ? [takenAt] : [];
      });
      return taken.length === 0 ? null : Math.min(...taken);
    },
    forget({ intentId }) {
      missed.delete(intentId);
      acknowledged.delete(intentId);
      lost.delete(intentId);
    },
  };
}
