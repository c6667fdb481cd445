// W2: what a person must know is told, when it is written down: a record of that kind never stands without its notice.
import type { EpochMs } from '../../src/domain/time.ts';
import type { Notice } from '../../src/trader/state/turn.ts';
import type { CheckContext, Checker } from '../checks/context.ts';
import type { Told } from '../checks/journal-model.ts';

interface Due {
  readonly ops: readonly string[];
  /** Somebody is woken for it. */
  readonly isPage?: boolean;
}

/** By type of record; a type with a choice of outcomes by both. */
const DUE: Readonly<Record<string, Due>> = {
  'symbol-halted': { ops: ['symbol-halted'], isPage: true },
  'create-outcome accepted': { ops: ['accepted'] },
  'create-outcome unknown': { ops: ['unknown'] },
  'create-outcome not-sent': { ops: ['not-sent'] },
  'create-outcome rejected': { ops: ['rejected'] },
  'create-outcome soft-rejected': { ops: ['soft-rejected'] },
  adopted: { ops: ['adopted', 'taken-over'] },
  closed: { ops: ['closed', 'not-placed'] },
  closing: { ops: ['closing', 'mass-close'] },
  reopened: { ops: ['reopened'] },
  'order-differs': { ops: ['order-differs'], isPage: true },
  'duplicate-found': { ops: ['duplicate-order'] },
  overfill: { ops: ['overfill'], isPage: true },
  difference: { ops: ['difference'] },
  'difference-accepted': { ops: ['difference-accepted'] },
  suspense: { ops: ['suspense', 'suspense-settled'] },
  'fill-corrected': { ops: ['trade-corrected', 'attributed'] },
  'fill-reversed': { ops: ['trade-reversed'], isPage: true },
  // A gap that halts its market is told by the halt.
  'trades-gap': { ops: ['trades-gap', 'trades-backfill-ended', 'symbol-halted'] },
  'orders-questioned': { ops: ['orders-questioned', 'order-questioned', 'symbol-halted'] },
  'clock-moved': { ops: ['clock-moved'] },
  'creates-throttled': { ops: ['creates-throttled'] },
  opened: { ops: ['opened'] },
  transfer: { ops: ['external-flow', 'suspense-settled', 'acceptance-named'] },
  conversion: { ops: ['external-flow', 'suspense-settled', 'acceptance-named'] },
  'owner-trade': { ops: ['external-flow', 'suspense-settled', 'acceptance-named'] },
};

/** Notices that say that something is over, by what says that it began: no end without a beginning. */
const ENDS: Readonly<Record<string, string>> = {
  responding: 'not-responding',
  'maintenance-over': 'maintenance',
  'trades-backfill-ended': 'trades-backfill',
};

interface Owed extends Due {
  readonly told: Told;
  readonly at: EpochMs;
}

export function toldChecks(): Checker {
  let owed: Owed[] = [];
  /** What has begun in this process and is not said to be over, with its symbol. */
  let begun = new Set<string>();
  /** Symbols that were said to rest in this process. */
  let rested = new Set<string>();

  /** Notices follow their records within the turn: by the next event they are there. */
  function judge(context: CheckContext): void {
    for (const { told, ops } of owed)
      context.violated('W2', `Nobody is told of record ${told.seq} (${told.type}): no notice is ${ops.join(' or ')}.`);
    owed = [];
  }

  const settles = ({ told: { payload }, ops, isPage }: Owed, notice: Notice): boolean =>
    ops.includes(notice.op) &&
    (isPage !== true || notice.level === 'page') &&
    (notice.symbol === undefined || payload.symbol === undefined || payload.symbol === notice.symbol) &&
    (notice.intentId === undefined ||
      payload.intentId === undefined ||
      // A second order is told of by the create that it is a second one of.
      [payload.intentId, payload.of].includes(notice.intentId));

  return {
    recorded(context, told) {
      const { type, payload, epoch } = told;
      const due = DUE[type] ?? DUE[`${type} ${String(payload.outcome ?? '')}`];
      // One that a start found on the disk was told, or not, by the process before.
      if (due !== undefined && context.isUp() && epoch === context.journal.epoch)
        owed.push({ ...due, told, at: context.now() });
    },
    noticed(context, notice) {
      const began = ENDS[notice.op];
      if (Object.values(ENDS).includes(notice.op)) begun.add(`${notice.op} ${notice.symbol ?? ''}`);
      if (began !== undefined && !begun.delete(`${began} ${notice.symbol ?? ''}`))
        context.violated('W2', `The notice ${notice.op} follows no ${began}: ${notice.message}`);
      owed = owed.filter((each) => !settles(each, notice));
      if (notice.op !== 'resting') return;
      // A row of refusals may last for hours: somebody is called when it begins.
      if (notice.level !== 'page' && !rested.has(notice.symbol ?? ''))
        context.violated('W2', `Nobody is called for the first rest of ${notice.symbol}: ${notice.message}`);
      rested.add(notice.symbol ?? '');
    },
    event(context) {
      if (owed.some(({ at }) => at < context.now())) judge(context);
    },
    crashed() {
      begun = new Set();
      rested = new Set();
      owed = [];
    },
  };
}
