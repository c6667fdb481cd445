// What rests and may be the bot's, once all that is known to be its own is proved gone.
import type { OrderId } from '../domain/ids.ts';
import type { OpenOrder } from '../domain/order.ts';
import type { Sweep } from './sweep-state.ts';

/** Those of `questioned` that the last lists of the sweep show. */
export function doubtfulIn({ scopes, listed }: Sweep, questioned: ReadonlySet<OrderId>): OpenOrder[] {
  const rows = [...scopes.keys()].flatMap((name) => listed.get(name)?.rows ?? []);
  return rows.filter(({ orderId }) => questioned.has(orderId));
}

/** `when`: of the proof; empty for one of just now. */
export function doubtfulWords(count: number, when = ''): string {
  const proved = `proved by two complete lists${when === '' ? '' : `, ${when}`}`;
  const orders = count === 1 ? 'One order' : `${count} orders`;
  return (
    `What is known to be the bot's is not open: ${proved}. ${orders} may be the bot's: ` +
    'a person was asked, and it is not canceled without his word.'
  );
}
