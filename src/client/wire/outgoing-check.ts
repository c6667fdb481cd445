// The last look at an order: what is about to leave is read again and compared with what was approved (order-truth §10,
// check 17).
import { parseDecimal } from '../../domain/decimal.ts';
import { invariant } from '../../domain/invariant.ts';
import type { OrderRequest } from '../../domain/order.ts';

const FIELDS = 5;

/** Throws when the body is anything but this order, whatever made it so: nothing has been sent yet. */
export function assertSameOrder(body: string | null, order: OrderRequest): void {
  const sent = fieldsOf(body);
  const price = parseDecimal(sent.get('price') ?? '');
  const quantity = parseDecimal(sent.get('quantity') ?? '');
  const same =
    sent.size === FIELDS &&
    sent.get('symbol') === order.symbol &&
    sent.get('action') === (order.side === 'buy' ? 'BUY' : 'SELL') &&
    sent.get('type') === 'LIMIT' &&
    price?.eq(order.price) === true &&
    quantity?.eq(order.quantity) === true;
  const wanted = `${order.symbol} ${order.side} ${order.quantity.toFixed()} @ ${order.price.toFixed()}`;
  invariant(same, () => `The request that was about to leave is not the approved order ${wanted}.`);
}

/** The body's fields; what is not text can't be one of an order's. */
function fieldsOf(body: string | null): Map<string, string> {
  const parsed: unknown = JSON.parse(body ?? '{}');
  const fields = new Map<string, string>();
  if (typeof parsed !== 'object' || parsed === null) return fields;
  for (const [name, value] of Object.entries(parsed)) fields.set(name, typeof value === 'string' ? value : '');
  return fields;
}
