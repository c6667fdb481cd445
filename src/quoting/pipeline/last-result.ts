// Computes quotes again only if something that they were computed from has changed: a part of the view that was read,
// or an own order.
import { Decimal } from '../../domain/decimal.ts';
import type { LiveOrder } from '../live-order.ts';
import type { MarketView } from '../strategy.ts';

interface Input {
  readonly view: MarketView;
  readonly live: readonly LiveOrder[];
}

/** A result with everything that it depends on. */
interface Kept<T> {
  readonly basis: unknown;
  readonly live: readonly LiveOrder[];
  /** The parts of the view that were read. */
  readonly read: ReadonlyMap<PropertyKey, unknown>;
  readonly result: T;
}

/**
 * Wraps a pure computation so that it returns its last result for the owner as long as its input is the same. `basis`
 * is its input besides view, own orders and owner; `handed` makes the view fit for code that is not ours.
 */
export function keepingLast<I extends Input, T>(
  compute: (input: I) => T,
  handed: (view: MarketView) => MarketView = (view) => view,
) {
  const last = new WeakMap<object, Kept<T>>();
  return (owner: object, input: I, basis: unknown): T => {
    const { view, live } = input;
    const kept = last.get(owner);
    if (kept !== undefined && kept.basis === basis && isSameInput(kept, input)) return kept.result;
    const read = new Map<PropertyKey, unknown>();
    const result = compute({ ...input, view: watched(handed(view), read) });
    last.set(owner, { basis, live, read, result });
    return result;
  };
}

function watched(view: MarketView, read: Map<PropertyKey, unknown>): MarketView {
  return new Proxy(view, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      read.set(name, value);
      return value;
    },
  });
}

function isSameInput({ live, read }: Kept<unknown>, now: Input): boolean {
  if (live.length !== now.live.length || !live.every((order, index) => isSameOrder(order, now.live[index])))
    return false;
  for (const [name, value] of read) if (!isSame(value, Reflect.get(now.view, name))) return false;
  return true;
}

/** No step of the pipeline uses `exposed`. */
const isSameOrder = (a: LiveOrder, b: LiveOrder | undefined): boolean =>
  b !== undefined &&
  a.intentId === b.intentId &&
  a.status === b.status &&
  a.sentAt === b.sentAt &&
  a.remaining.eq(b.remaining);

/** Whether both are the same data, decimals and their signs included. */
function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (a instanceof Decimal && b instanceof Decimal) return a.s === b.s && a.eq(b);
  if (a instanceof Map && b instanceof Map) return isSame([...a], [...b]);
  const [mine, theirs] = [Object.entries(a), Object.entries(b)];
  const of = new Map<string, unknown>(theirs);
  return mine.length === theirs.length && mine.every(([name, value]) => of.has(name) && isSame(value, of.get(name)));
}
