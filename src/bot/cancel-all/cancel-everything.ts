// Works with the keys alone: cancels all open orders of the account, or lists them without the confirmation. Proves
// either way whether any is open.

import type { OrderId } from '../../domain/ids.ts';
import type { OpenOrder } from '../../domain/order.ts';
import type { DurationMs } from '../../domain/time.ts';
import { readState } from '../../paper/server/state-file.ts';
import { type UnmatchedOrderView, unmatchedView } from '../../trader/status/views.ts';
import type { Read } from '../../venue/outcomes.ts';
import { runSweep, type StampedVenue, type SweepPorts } from '../../watchdog/run-sweep.ts';
import { remainsOf, type Sweep, WHOLE_ACCOUNT } from '../../watchdog/sweep-state.ts';
import { PAPER_ACCOUNT } from '../settings/derived.ts';
import type { Settings } from '../settings/types.ts';
import { unmatchedLines } from '../status/status-words.ts';

export interface Outcome {
  readonly flat: boolean;
  readonly message: string;
  /** Open orders not known to be the bot's; absent if nothing was listed. */
  readonly left?: LeftResting;
  /** `message` names them already. */
  readonly namesLeft?: boolean;
}

export interface Proof {
  /** Covers the whole account. */
  readonly sweep: Sweep;
  readonly portsOf: (venue: StampedVenue) => SweepPorts;
  readonly withinMs: DurationMs;
}

type OrderList = Read<readonly OpenOrder[]>;

/** The first try may only teach us the exchange's clock. */
const TRIES = 3;
const NO_ORDER = 'The account has no open order: proved by two complete lists.';

/** `sweep` cancels. */
export async function cancelEverything(venue: StampedVenue, { sweep, portsOf, withinMs }: Proof): Promise<Outcome> {
  const count = (await openOrders(venue))?.rows.length ?? 0;
  const isEmpty = await runSweep(sweep, portsOf(venue), withinMs);
  const left = leftResting(sweep, new Set());
  if (!isEmpty) return { flat: false, message: remainsOf(sweep).join(' ') || 'Not every order is proved gone.', left };
  return count === 0
    ? { flat: true, message: NO_ORDER, left }
    : { flat: true, message: `${count} orders of the account are canceled: proved by two complete lists.`, left };
}

/** `sweep` only reads. It is needed if the first list is empty, which is no proof: the list may lag behind the book. */
export async function listEverything(venue: StampedVenue, { sweep, portsOf, withinMs }: Proof): Promise<Outcome> {
  const list = await openOrders(venue);
  if (list === null) return { flat: false, message: 'The open orders of the account cannot be read.' };
  if (list.rows.length > 0 || !list.complete) return listedOutcome(list);
  if (await runSweep(sweep, portsOf(venue), withinMs))
    return { flat: true, message: NO_ORDER, left: leftIn({ rows: [], complete: true }) };
  const last = sweep.listed.get(WHOLE_ACCOUNT);
  if (last !== undefined && last.rows.length > 0) return listedOutcome(last);
  const left = ['One list is empty, which is no proof. No second one could be had in time.', ...remainsOf(sweep)];
  return { flat: false, message: left.join(' ') };
}

type Listed = Pick<OrderList, 'rows' | 'complete' | 'incompleteBecause'>;

const listedOutcome = (list: Listed): Outcome => ({
  flat: false,
  message: listed(list),
  left: leftIn(list),
  namesLeft: true,
});

function listed({ rows, complete, incompleteBecause }: Listed): string {
  const cut = `The list of open orders is not complete: ${incompleteBecause ?? 'a row could not be read.'}`;
  const missing = complete ? [] : [`${cut} There may be orders that it does not show.`];
  if (rows.length === 0) return missing.join('');
  const lines = rows.map(
    ({ symbol, side, remainingQuantity, price, orderId }) =>
      `  ${orderId} ${symbol} ${side} ${remainingQuantity.toFixed()} @ ${price.toFixed()}`,
  );
  return [`With --yes these ${rows.length} orders are canceled:`, ...lines, ...missing].join('\n');
}

/** Returns a complete list if it gets one. */
async function openOrders(venue: StampedVenue): Promise<OrderList | null> {
  let last: OrderList | null = null;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const { kind, outcome } = await venue.perform({ kind: 'open-orders' });
    if (kind !== 'open-orders' || outcome.kind !== 'read') continue;
    last = outcome.read;
    if (last.complete) return last;
  }
  return last;
}

// Orders that `cancel-all` leaves on the account, from the last lists of its sweep.

export interface LeftResting {
  /** False if the last list of some scope was cut or missing: there may be more. */
  readonly complete: boolean;
  /** All open orders not known to be the bot's. */
  readonly orders: readonly UnmatchedOrderView[];
}

/** `questioned`: orders that may be the bot's. */
export function leftResting(sweep: Sweep, questioned: ReadonlySet<OrderId>): LeftResting {
  const lists = [...sweep.scopes.keys()].map((name) => sweep.listed.get(name));
  const isOwn = ({ orderId }: OpenOrder): boolean => sweep.targets.has(orderId) || sweep.closed.has(orderId);
  const rows = lists.flatMap((list) => list?.rows ?? []).filter((row) => !isOwn(row));
  const isAccount = sweep.settings.whose === 'account';
  return {
    complete: lists.every((list) => list?.complete === true),
    orders: rows.map((row) => unmatchedView({ row, mayBeOurs: isAccount || questioned.has(row.orderId) })),
  };
}

/** For a list whose orders were not to be canceled. */
const leftIn = ({ rows, complete }: Pick<OrderList, 'rows' | 'complete'>): LeftResting => ({
  complete,
  orders: rows.map((row) => unmatchedView({ row, mayBeOurs: false })),
});

/** Lines for a terminal, even if nothing is left. */
export function leftLines({ complete, orders }: LeftResting): string[] {
  const cut = 'The open orders of the account are not fully known: the list was incomplete.';
  return [...unmatchedLines(orders), ...(complete ? [] : [cut])];
}

// `cancel-all` while the paper exchange is stopped: it can't be asked, and is not started for this. Its saved state
// tells which orders would be open again.

/** Flat if the state from which the exchange would resume has no order of the account. */
export async function stoppedPaperOutcome(settings: Settings): Promise<Outcome> {
  const { paper, venue, stateFolder, files } = settings;
  const head = `No paper exchange of ${stateFolder} runs at ${venue.baseUrl}`;
  const left = paper === null ? 0 : await ordersLeft(paper.stateFile);
  if (left === 0)
    return { flat: true, message: `${head}, so no order is open: there was nothing left to ask or to cancel.` };
  const remedy = `Start it (quotekeeper exchange ${files.join(' ')}), then run this command again.`;
  return { flat: false, message: `${head}. It was stopped with ${left} open orders, which it keeps. ${remedy}` };
}

/** A state that can't be resumed holds no orders: a new exchange would be made. */
async function ordersLeft(stateFile: string): Promise<number> {
  const stored = await readState(stateFile);
  if (stored.kind !== 'clean') return 0;
  return stored.snapshot.engine.orders.filter(({ account }) => account === PAPER_ACCOUNT).length;
}
