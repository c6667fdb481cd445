// What must hold between any two moments of a played run, seen from both sides of the wire (order-truth §8).

import type { PlayReport, World } from '../../../src/backtest/play.ts';
import { decimal } from '../../../src/domain/decimal.ts';
import { isConsistent, negativeBalances } from '../../../src/ledger/ledger.ts';
import { truth } from '../../../src/paper/control/truth.ts';
import { liveIntents } from '../../../src/trader/durable/durable.ts';
import type { IntentRecord } from '../../../src/trader/durable/events.ts';
import type { Intent } from '../../../src/trader/durable/intent.ts';
import { symbolsOf, type TraderState } from '../../../src/trader/state/state.ts';

interface Listed {
  readonly symbol: string;
  readonly orderId: string;
  readonly side: string;
  readonly price: string;
  readonly origQty: string;
}

const UNRESOLVED: readonly Intent['state'][] = ['sent', 'unknown', 'soft-rejected'];

/** Sentences about what does not hold now. */
export function violationsOf(world: World): string[] {
  return [...slotViolations(world.trader), ...orphans(world), ...moneyViolations(world.trader)];
}

/**
 * S3: in a slot at most one order that may be live and the one that it replaces, beside those that were canceled and
 * one whose create has no answer: another one that is like it in neither price nor quantity may stand in for that.
 */
export function slotViolations(trader: TraderState): string[] {
  return symbolsOf(trader).flatMap((symbol) => {
    const live = liveIntents(trader.durable, symbol).filter(({ cancel }) => cancel === 'none');
    const bySlot = Map.groupBy(live, ({ slot }) => slot);
    // The one that is replaced may be gone before its cancel is sent.
    const isNamed = ({ state }: Intent): boolean => state === 'open' || state === 'closing';
    const isMove = ([older, ...newer]: readonly Intent[]): boolean =>
      newer.length === 1 && older !== undefined && isNamed(older);
    const mayBe = (orders: readonly Intent[]): boolean => orders.length === 1 || isMove(orders);
    return [...bySlot].flatMap(([slot, orders]) => {
      const doubtful = orders.find(isInDoubt);
      const others = orders.filter((order) => order !== doubtful);
      const fits = doubtful !== undefined && others.every((order) => isUnlike(order, doubtful)) && mayBe(others);
      return mayBe(orders) || fits ? [] : [`S3: ${symbol} has ${orders.length} orders in ${slot}.`];
    });
  });
}

const isInDoubt = ({ state }: Intent): boolean => state === 'unknown' || state === 'soft-rejected';

const isUnlike = (a: Intent, b: Intent): boolean => !a.price.eq(b.price) && !a.quantity.eq(b.quantity);

/**
 * S3 at a create: only the order that it replaces, one in doubt, and those that all but certainly are gone may be in
 * its slot.
 */
export function createViolations({ durable }: TraderState, created: readonly IntentRecord[]): string[] {
  const leaves = ({ state, cancel }: Intent): boolean =>
    (state === 'cancel-sent' && cancel === 'acknowledged') || (state === 'closing' && cancel !== 'none');
  return created.flatMap(({ intentId, symbol, slot, replaces }) => {
    const others = liveIntents(durable, symbol).filter((other) => other.slot === slot && other.intentId !== intentId);
    const own = liveIntents(durable, symbol).find((each) => each.intentId === intentId);
    const doubtful = others.find((other) => isInDoubt(other) && own !== undefined && isUnlike(own, other));
    const holders = others.filter((other) => other.intentId !== replaces && other !== doubtful && !leaves(other));
    return holders.map((holder) => `S3: ${intentId} was created in the slot of ${holder.intentId}.`);
  });
}

/** M1, M9. */
export function moneyViolations({ durable }: TraderState): string[] {
  const negative = negativeBalances(durable.books.ledger).map(
    ({ asset, account }) => `M9: ${account} of ${asset} is negative.`,
  );
  return isConsistent(durable.books.ledger) ? negative : ['M1: the ledger does not balance.', ...negative];
}

/**
 * S4 and S5: every order on the exchange is one of a live intent, or may be one whose fate is not known yet; each
 * intent has one.
 */
function orphans({ exchange, trader }: World): string[] {
  const claimed = new Set<string>();
  const rows = ordersOn(exchange);
  const free = rows.filter((row) => {
    const id = [...trader.durable.orders.intents.values()].find((intent) => intent.orderId === row.orderId)?.intentId;
    if (id !== undefined) claimed.add(id);
    return id === undefined;
  });
  return free.flatMap((row) => {
    const cover = [...trader.durable.orders.intents.values()].find(
      (intent) => !claimed.has(intent.intentId) && covers(intent, row),
    );
    if (cover) claimed.add(cover.intentId);
    return cover
      ? []
      : [`S5: ${row.side} ${row.origQty} @ ${row.price} (${row.orderId}) of ${row.symbol} belongs to no live intent.`];
  });
}

function covers(intent: Intent, row: Listed): boolean {
  return (
    UNRESOLVED.includes(intent.state) &&
    intent.symbol === row.symbol &&
    intent.side === row.side.toLowerCase() &&
    intent.price.eq(row.price) &&
    intent.quantity.eq(row.origQty)
  );
}

function ordersOn(exchange: World['exchange']): Listed[] {
  return truth(exchange, { others: false, fills: false }).accounts.flatMap(({ orders }) => orders as Listed[]);
}

/** What must hold at the end, when everything is quiet: M2, M3. */
export function endViolations({ snapshot, truth: accounts, flat }: PlayReport): string[] {
  const found: string[] = [];
  const left = accounts.flatMap(({ orders }) => orders);
  if (flat && left.length > 0) found.push(`L3: the stop was called flat and ${left.length} orders are open.`);
  for (const { asset, expected } of snapshot.assets) {
    for (const { balances } of accounts) {
      const { free = '0', locked = '0' } = balances[asset] ?? {};
      const total = plainSum(free, locked);
      if (total !== expected) found.push(`M2: the exchange holds ${total} ${asset}, the ledger says ${expected}.`);
    }
  }
  const ours = snapshot.symbols.reduce((sum, { fills }) => sum + fills.buys + fills.sells, 0);
  const theirs = accounts.reduce((sum, { fillCount }) => sum + fillCount, 0);
  if (ours !== theirs) found.push(`M3: ${theirs} fills on the exchange, ${ours} booked as the strategy's.`);
  return found;
}

function plainSum(a: string, b: string): string {
  return decimal(a).add(b).toFixed();
}
