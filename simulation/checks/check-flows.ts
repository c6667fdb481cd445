// Compares booked and real events (order-truth §8, M2, M3, M6, M8, M10): the owner's transfers and simple trades, and
// every trade, each once, with its content, on its account. Events that a person accepted as the owner's own, or was
// told about, are kept apart.
import { Decimal } from '../../src/domain/decimal.ts';
import { type Asset, parseSymbol } from '../../src/domain/instrument.ts';
import { DAY, type DurationMs, type EpochMs, MINUTE } from '../../src/domain/time.ts';
import type { Transfer } from '../../src/paper/state/owner-actions.ts';
import { totalIn } from '../books/ledger-reading.ts';
import { type CheckContext, type Checker, reconciliationsMs, sweepsMs } from './context.ts';
import { fillKey, type Told } from './journal-model.ts';
import { createLaneHealth, type LaneHealth } from './lane-health.ts';
import { createQuiescence, type Quiescence } from './quiescence.ts';
import {
  changeOfTransfer,
  keptAssets,
  keyOfRow,
  matchTransfers,
  nameOfSimpleTrade,
  nameOfTransfer,
  otherThan,
  sumOf,
  trueSimpleTrades,
  trueTotal,
  trueTransfers,
  type Unbooked,
  unbooked,
} from './unbooked.ts';

/** While a difference is confirmed, lists are read only this often. */
const RARE_SCAN_MS: DurationMs = 10 * MINUTE;
/** A trade stays on the list of own trades at least this long (Q16). */
const SHORTEST_LIST_MS: DurationMs = DAY;
/** The halt code by which the bot says that it can't read all trades. */
const GAP = 'trades-gap';

/** An event that only it can explain, and since when. */
interface Unexplained {
  readonly each: Unbooked;
  readonly from: EpochMs;
}

interface Flows {
  readonly quiescence: Quiescence;
  readonly health: LaneHealth;
  /** Names of events from before the ledger was opened. */
  before: ReadonlySet<string>;
  /**
   * The part of these so shortly before that the opening wallet may have lacked them: until the record that proves it
   * they may be booked.
   */
  either: ReadonlySet<string>;
  /** When each was first present, while nothing is opened. */
  readonly seenAt: Map<string, EpochMs>;
  /** The assets of each event that a person accepted as the owner's own. */
  readonly accepted: Map<string, Set<Asset>>;
  /** Since when each event has been seen unbooked, in this process. */
  readonly since: Map<string, EpochMs>;
  /** Since when each asset has been confirmed to differ. */
  readonly differsSince: Map<Asset, EpochMs>;
  /**
   * Symbols for which a person was told that some trades can't be read: more in a millisecond than a page holds (F44),
   * or too old.
   */
  readonly withGaps: Set<string>;
}

export function flowChecks(): Checker {
  const flows: Flows = {
    quiescence: createQuiescence(),
    health: createLaneHealth(),
    before: new Set(),
    either: new Set(),
    seenAt: new Map(),
    accepted: new Map(),
    since: new Map(),
    differsSince: new Map(),
    withGaps: new Set(),
  };
  return {
    answered(context, message) {
      flows.health.answered(context, message);
      flows.quiescence.answered(message);
    },
    recorded(context, told) {
      flows.health.recorded(context, told);
      flows.quiescence.recorded(context, told);
      updateDiffering(flows, context);
      switch (told.type) {
        case 'session-started':
          return flows.since.clear();
        case 'opened':
          return told.payload.later === true ? undefined : opened(flows, context);
        case 'external-flow':
          return flowBooked(flows, context, told);
        case 'symbol-halted':
          if (told.payload.code === GAP) flows.withGaps.add(String(told.payload.symbol));
          return;
        default:
          return;
      }
    },
    // If something else halted the symbol before, only this notice shows it.
    noticed(_scene, { op, symbol }) {
      if (op === 'trades-gap' && symbol !== undefined) flows.withGaps.add(symbol);
    },
    sampled(context) {
      if (context.journal.openedAt === null)
        for (const name of namesNow(context)) flows.seenAt.set(name, flows.seenAt.get(name) ?? context.now());
      explainedInTime(flows, context);
    },
    atRest(context) {
      if (flows.quiescence.isSettled(context)) allBooked(flows, context);
    },
  };
}

function flowBooked(flows: Flows, context: CheckContext, told: Told): void {
  switch (told.payload.kind) {
    case 'transfer':
      return transferBooked(context, surelyBefore(flows));
    case 'conversion':
      return simpleTradeBooked(context, told, surelyBefore(flows));
    case 'owner-trade':
      return context.counters.add('booked trade in another market');
    default:
      return acceptedBy(flows, context, told);
  }
}

function updateDiffering({ differsSince }: Flows, context: CheckContext): void {
  const { differences } = context.journal;
  for (const asset of differsSince.keys()) if (!differences.has(asset)) differsSince.delete(asset);
  for (const asset of differences.keys()) if (!differsSince.has(asset)) differsSince.set(asset, context.now());
}

const namesNow = (context: CheckContext): string[] => [
  ...trueTransfers(context).map(nameOfTransfer),
  ...trueSimpleTrades(context).map(nameOfSimpleTrade),
];

/** The wallet of an opening trails by at most the bound, and is requested a little before the record. */
function opened(flows: Flows, context: CheckContext): void {
  const names = namesNow(context);
  const from = context.now() - 2 * context.settings.assumptions.readLagBoundMs;
  flows.before = new Set(names);
  flows.either = new Set(names.filter((name) => (flows.seenAt.get(name) ?? context.now()) > from));
}

const surelyBefore = ({ before, either }: Flows): ReadonlySet<string> =>
  new Set([...before].filter((name) => !either.has(name)));

/**
 * Behind a gap nothing about the symbol is proved while it is halted, and trades that could not be read stay unread
 * afterward.
 */
const isInGap = (flows: Flows, { journal }: CheckContext, { kind, symbol }: Unbooked): boolean =>
  symbol !== null && (journal.halts.get(symbol)?.code === GAP || (kind === 'trade' && flows.withGaps.has(symbol)));

/**
 * Removes what a person accepted: in each of its assets, or in those that were visible. If all of it together moved
 * nothing of an asset, no wallet showed that.
 */
function withoutAccepted(flows: Flows, all: readonly Unbooked[]): Unbooked[] {
  const parts = all.filter(({ name, changes }) => changes.size > 0 && flows.accepted.has(name));
  const rests = parts.map(({ name, changes }) => ({
    name,
    changes: new Map([...changes].filter(([asset]) => flows.accepted.get(name)?.has(asset) !== true)),
  }));
  const unseen = sumOf(rests);
  const isWhole = ({ changes }: Pick<Unbooked, 'changes'>): boolean =>
    [...changes.keys()].every((asset) => unseen.get(asset)?.isZero() === true);
  const settled = new Set(rests.filter(isWhole).map(({ name }) => name));
  return all.filter(({ name }) => !settled.has(name));
}

const openNow = (flows: Flows, context: CheckContext): Unbooked[] =>
  withoutSwapped(
    withoutAccepted(flows, unbooked(context, flows.before)),
    bookedTransfers(context).filter((row) => flows.accepted.has(nameOfTransfer(row))),
  );

/**
 * M2: an unexplained amount is a difference until a person accepts it as the owner's own; records which events those
 * were.
 */
function acceptedBy(flows: Flows, context: CheckContext, { payload }: Told): void {
  const [asset, amount] = [String(payload.asset), String(payload.amount)];
  if (!context.isToldToAccept())
    return context.violated('M2', `${amount} ${asset} were taken for the owner's doing, and nobody had said so.`);
  context.counters.add('difference accepted');
  const open = openNow(flows, context).filter(
    ({ name, changes }) => changes.has(asset) && !flows.accepted.get(name)?.has(asset),
  );
  // The asset starts over: everything before is part of what was accepted.
  for (const { name } of open) flows.accepted.set(name, (flows.accepted.get(name) ?? new Set()).add(asset));
}

/** M10: events that the exchange's lists explain stay unexplained no longer than it takes to read them. */
function explainedInTime(flows: Flows, context: CheckContext): void {
  const trader = context.trader();
  // A bot stopped by the kill latch reads nothing more.
  const isStopped = context.latchedSince() !== null || context.journal.ended !== null;
  if (context.phase() !== 'calm' || trader === null || isStopped || context.journal.openedAt === null)
    return flows.since.clear();
  const { ledger } = trader.durable.books;
  const gaps = new Map<Asset, Decimal>();
  for (const asset of keptAssets(context)) {
    const gap = trueTotal(context, asset).sub(totalIn(ledger, asset));
    if (!gap.isZero()) gaps.set(asset, gap);
  }
  if (gaps.size === 0) return flows.since.clear();
  const open = openNow(flows, context);
  const names = new Set(open.map(({ name }) => name));
  for (const name of flows.since.keys()) if (!names.has(name)) flows.since.delete(name);
  const sums = sumOf(open);
  for (const each of open) {
    const from = flows.since.get(each.name) ?? context.now();
    flows.since.set(each.name, from);
    // A transfer is booked because it is listed. Everything else is known only through the wallet's sums.
    const beside = tiedTo(each, open);
    const assets = new Set(beside.flatMap(({ changes }) => [...changes.keys()]));
    const isAll = [...assets].every((asset) => sums.get(asset)?.eq(gaps.get(asset) ?? 0) === true);
    // With a new event in one of its assets the wallet must be explained again.
    const newest = Math.max(from, ...beside.map(({ name }) => flows.since.get(name) ?? context.now()));
    // Nor next to trades that can't be read.
    const isRead = !beside.some((one) => isInGap(flows, context, one) || hasLeftList(context, one));
    if (each.changes.size > 0 && (isAll || each.kind === 'transfer') && isRead && !flows.health.isHeldBack(context))
      tooLong(flows, context, { each, from: newest });
  }
}

function tooLong(flows: Flows, context: CheckContext, { each, from }: Unexplained): void {
  const { name } = each;
  const begun = Math.max(from, context.calmSince(), flows.health.since(), flows.health.fastSince());
  const isRare = [...flows.differsSince.values()].some((since) => since < begun);
  const within =
    2 * context.settings.assumptions.readLagBoundMs +
    reconciliationsMs(context) +
    sweepsMs(context) +
    (isRare ? RARE_SCAN_MS : 0);
  if (context.now() - begun > within)
    context.violated('M10', `For ${(within / MINUTE).toFixed(1)} min nothing but this explains the wallet: ${name}.`);
}

/** M3: at the end everything is booked with its true content, except what a person accepted or was told about. */
function allBooked(flows: Flows, context: CheckContext): void {
  for (const each of openNow(flows, context)) {
    const wasUndone = each.orderId !== null && context.oracle.orders.get(each.orderId)?.rewritten === true;
    // A trade that never was, or was another, can only be booked by the program's own fault, unless the exchange took
    // it back afterward.
    const isInvented = (each.kind === 'undone' || each.kind === 'changed') && !wasUndone;
    if (!isInvented && (isTold(context, each) || isInGap(flows, context, each))) continue;
    context.violated('M3', `Not booked as it was, and nobody was told: ${each.name}.`);
  }
}

const bookedTransfers = (context: CheckContext): readonly Transfer[] => [
  ...matchTransfers(context.journal, trueTransfers(context)).values(),
];

/**
 * Drops a transfer equal to one that a person accepted and that is booked all the same: it can't be known which of the
 * two the wallet showed.
 */
function withoutSwapped(open: readonly Unbooked[], bookedAfterAll: readonly Transfer[]): Unbooked[] {
  const left = [...open];
  for (const row of bookedAfterAll) {
    const change = changeOfTransfer(row);
    const at = left.findIndex(
      ({ kind, changes }) => kind === 'transfer' && changes.get(row.asset)?.eq(change) === true,
    );
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}

/**
 * A person was told that the wallet differs in one of its assets: by exactly that asset's sum, which M2 checks; a
 * reward that no list shows may be included. Or it moved no traded asset.
 */
const isTold = ({ journal }: CheckContext, { changes }: Unbooked): boolean =>
  changes.size === 0 || [...changes.keys()].some((asset) => journal.differences.has(asset));

/**
 * M3, M6, M8 for a booked deposit or withdrawal: it is one of the exchange's, on the account of its direction, with its
 * fee.
 */
function transferBooked(context: CheckContext, before: ReadonlySet<string>): void {
  const intent = context.journal.transfers.at(-1);
  if (intent === undefined) return;
  const row = matchTransfers(context.journal, trueTransfers(context)).get(intent);
  const words = `${intent.walletChange} ${intent.asset} on ${intent.account}`;
  if (row === undefined || before.has(nameOfTransfer(row))) {
    const sentence = `Booked were ${words}, and no transfer did that since the opening, or it is booked already.`;
    return context.violated('M3', sentence);
  }
  context.counters.add(`booked ${row.means} ${row.direction}`);
  if (intent.account !== `external:${row.direction}`)
    context.violated('M6', `Booked were ${words}, which was a ${row.direction}.`);
  if (!new Decimal(row.fee).eq(intent.fee))
    context.violated('M8', `Booked were ${words} with a fee of ${intent.fee}, which was ${row.fee}.`);
}

/** M3 for a simple buy or sell: it is one of the exchange's, with the same content. */
function simpleTradeBooked(context: CheckContext, { payload }: Told, before: ReadonlySet<string>): void {
  const { symbol, tradeId, side } = payload.fill as Told['payload'];
  const key = fillKey(String(symbol), String(tradeId), String(side));
  const booked = context.journal.conversions.get(key);
  const row = trueSimpleTrades(context).find((each) => keyOfRow(each) === key);
  const other =
    booked && row && !before.has(nameOfSimpleTrade(row)) ? otherThan(booked, row) : 'what never was since the opening';
  const isElsewhere = !keptAssets(context).has(parseSymbol(String(symbol))?.base ?? '');
  context.counters.add(`booked simple trade${isElsewhere ? ' of another coin' : ''}`);
  if (other !== null) context.violated('M3', `Simple trade ${key} was booked with ${other}.`);
}

/**
 * A trade changed, or taken back, so long after it was made that no list must show it (the bot was away for a week).
 */
const hasLeftList = (context: CheckContext, { kind, venueTime }: Unbooked): boolean =>
  (kind === 'changed' || kind === 'undone') && context.now() - venueTime > SHORTEST_LIST_MS;

/**
 * The event and all that share an asset with it, as two simple trades share INR: their sums are explained together or
 * not at all.
 */
function tiedTo(each: Unbooked, open: readonly Unbooked[]): readonly Unbooked[] {
  const assets = new Set(each.changes.keys());
  let tied: readonly Unbooked[] = [each];
  for (let before = 0; tied.length > before; ) {
    before = tied.length;
    tied = open.filter(({ changes }) => [...changes.keys()].some((asset) => assets.has(asset)));
    for (const { changes } of tied) for (const asset of changes.keys()) assets.add(asset);
  }
  return tied;
}
