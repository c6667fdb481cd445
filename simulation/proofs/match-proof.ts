// E3: a create is matched to an order that a list shows as it was sent, if it is the only one like it, or to one whose
// trade a page shows (order-truth §3.4 and §3.5).
import { type Decimal, decimal, ZERO } from '../../src/domain/decimal.ts';
import type { OpenOrder } from '../../src/domain/order.ts';
import { type DurationMs, SECOND } from '../../src/domain/time.ts';
import type { CheckContext } from '../checks/context.ts';
import type { JournalIntent } from '../checks/journal-model.ts';
import type { Left } from './absence-proof.ts';
import { isAlone } from './bounds.ts';
import type { NamedReads } from './named-reads.ts';
import type { WireLog } from './wire-log.ts';

/** Possible error of the bot's estimate of the exchange's clock. */
const CLOCK_SLACK_MS: DurationMs = 3 * SECOND;

interface Match {
  readonly intent: JournalIntent;
  readonly left: Left;
  readonly orderId: string;
  readonly by: string;
  readonly named: NamedReads;
  /** Orders that a person called not the bot's. */
  readonly disowned: ReadonlySet<string>;
}

export function whyNotAdopted(context: CheckContext, match: Match, log: WireLog): string | null {
  const why = match.by === 'fill' ? whyNotByFill(context, match, log) : whyNotByList(context, match, log);
  return why ?? whyFilledByNobodys(context, match, log);
}

function whyNotByList(context: CheckContext, match: Match, log: WireLog): string | null {
  const { intent, orderId, named } = match;
  const list = named.orders.at(-1);
  if (list === undefined) return 'no list is named';
  if (!list.whole && !isAlone(context.settings)) return 'the list that is named is not whole';
  // A recently listed order counts, though the list that settles it lacks it.
  const row = [...log.orders]
    .reverse()
    .flatMap(({ rows }) => rows)
    .find((each) => each.orderId === orderId);
  if (row === undefined) return 'no list shows it';
  if (!isLike(context, intent, row)) return 'the list shows another order under that name';
  if (isAlone(context.settings)) return null;
  const others = list.rows.filter((each) => each.orderId !== orderId && mayBeIts(context, match, log, each));
  return others.length === 0 ? null : 'the list that is named shows another order that is like it';
}

/** A create, and the order matched to it; null if it counts as never placed. */
interface Held extends Pick<Match, 'intent' | 'disowned'> {
  readonly orderId: string | null;
}

/**
 * An unattributed order that no list shows has filled the whole requested quantity, at its price, since the create
 * left: it may be the create's order as well. Only a person can say that it is not.
 */
export function whyFilledByNobodys(
  context: CheckContext,
  { intent, orderId, disowned }: Held,
  log: WireLog,
): string | null {
  if (isAlone(context.settings)) return null;
  const booked = [...context.journal.fills.values()].filter(
    (fill) => fill.intentId === null && fill.symbol === intent.symbol && fill.orderId !== orderId,
  );
  const ids = new Set(booked.map((fill) => fill.orderId));
  const found = [...ids].find((id) => {
    if (context.journal.byOrder.has(id) || disowned.has(id)) return false;
    if (log.orders.some(({ rows }) => rows.some((row) => row.orderId === id))) return false;
    const fills = booked.filter((fill) => fill.orderId === id);
    const isLike = fills.every(
      ({ side, price, venueTime }) =>
        side === intent.side && decimal(price).eq(intent.price) && venueTime >= intent.timestamp,
    );
    const filled = fills.reduce((sum, { quantity }) => sum.add(quantity), ZERO);
    return isLike && filled.eq(intent.quantity) && !tookLiquidity(log, id);
  });
  return found === undefined ? null : `order ${found}, which is nobody's, has filled just what was asked for`;
}

/**
 * An order that took from the book after the create could no longer be accepted is not its order; the time of the trade
 * is not checked.
 */
const tookLiquidity = (log: WireLog, orderId: string): boolean =>
  log.trades.some(({ rows }) => rows.some((row) => row.orderId === orderId && row.liquidity === 'taker'));

/**
 * On a shared account a partial fill does not show whose order it is, unless a list has shown the order (decision
 * 0015).
 */
function whyNotByFill(context: CheckContext, { intent, orderId }: Match, log: WireLog): string | null {
  const trades = log.trades.flatMap(({ rows }) => rows.filter((row) => row.orderId === orderId));
  if (trades.length === 0) return 'no page of own trades shows a trade of it';
  if (trades.some(({ side }) => side !== intent.side)) return 'its trades are of the other side';
  // An order has one price: if its trades have several, the exchange has corrected some (F50).
  const asMaker = trades.filter(({ liquidity }) => liquidity === 'maker');
  if (asMaker.length > 0 && !asMaker.some(({ price }) => price.eq(intent.price)))
    return 'its trades are at another price';
  // Fills booked by earlier processes were on pages that they read.
  const booked = [...context.journal.fills.values()].filter((fill) => fill.orderId === orderId);
  const byId = new Map<string, Decimal>([
    ...booked.map(({ tradeId, quantity }) => [tradeId, decimal(quantity)] as const),
    ...trades.map(({ tradeId, quantity }) => [tradeId, quantity] as const),
  ]);
  const filled = [...byId.values()].reduce((sum, quantity) => sum.add(quantity), ZERO);
  const isListed = log.orders.some(({ rows }) => rows.some((row) => row.orderId === orderId));
  if (isAlone(context.settings) || isListed || filled.eq(intent.quantity)) return null;
  return `its trades come to ${filled.toFixed()} of ${intent.quantity}, and no list shows it`;
}

/** If no other program creates orders, an order belongs to the create even if its time is impossible. */
function isLike({ settings }: CheckContext, intent: JournalIntent, row: OpenOrder): boolean {
  const earliest = intent.timestamp - settings.assumptions.readLagBoundMs - CLOCK_SLACK_MS;
  return (
    row.type === 'limit' &&
    row.symbol === intent.symbol &&
    row.side === intent.side &&
    row.price.eq(intent.price) &&
    row.originalQuantity.eq(intent.quantity) &&
    (isAlone(settings) || row.venueTime >= earliest)
  );
}

/** Not attributed, not listed before the create left, and not created when no copy of it could be accepted any more. */
function mayBeIts(context: CheckContext, { intent, left }: Match, log: WireLog, row: OpenOrder): boolean {
  if (context.journal.byOrder.has(row.orderId) || !isLike(context, intent, row)) return false;
  const wasBefore = log.orders.some(
    ({ answeredAt, rows }) => answeredAt <= intent.at && rows.some(({ orderId }) => orderId === row.orderId),
  );
  return !wasBefore && row.venueTime <= left.horizon;
}
