// The orders of an account that `cancel-all` lists, and those that it leaves.
import type { OrderId } from '../../domain/ids.ts';
import type { OpenOrder } from '../../domain/order.ts';
import { readState } from '../../paper/server/state-file.ts';
import { type UnmatchedOrderView, unmatchedView } from '../../trader/status/views.ts';
import type { Read } from '../../venue/outcomes.ts';
import type { StampedVenue } from '../../watchdog/run-sweep.ts';
import type { Sweep } from '../../watchdog/sweep-state.ts';
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

type OrderList = Read<readonly OpenOrder[]>;

/** The first try may only teach us the exchange's clock. */
const TRIES = 3;

/** Cancels nothing and proves nothing: even an empty list may lag behind the book. */
export async function listEverything(venue: StampedVenue): Promise<Outcome> {
  const list = await openOrders(venue);
  if (list === null) return { flat: false, message: 'The open orders of the account cannot be read.' };
  const orders = list.rows.map((row) => unmatchedView({ row, mayBeOurs: false }));
  return { flat: false, message: listed(list), left: { complete: list.complete, orders }, namesLeft: true };
}

function listed({ rows, complete, incompleteBecause }: OrderList): string {
  const cut = `The list of open orders is not complete: ${incompleteBecause ?? 'a row could not be read.'}`;
  const missing = complete ? [] : [`${cut} There may be orders that it does not show.`];
  const empty = complete ? ['The list of open orders is empty, which is no proof: it may trail. --yes proves it.'] : [];
  const lines = rows.map(
    ({ symbol, side, remainingQuantity, price, orderId }) =>
      `  ${orderId} ${symbol} ${side} ${remainingQuantity.toFixed()} @ ${price.toFixed()}`,
  );
  const head = rows.length === 0 ? empty : [`With --yes these ${rows.length} orders are canceled:`];
  return [...head, ...lines, ...missing].join('\n');
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
