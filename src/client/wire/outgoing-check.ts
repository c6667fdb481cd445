// The last look at a request that can move money: its bytes are read back into what they ask for, and that is compared
// with what the caller asked (order-truth §10, check 17).
import { type Decimal, parseDecimal, plain } from '../../domain/decimal.ts';
import { assertNever, invariant } from '../../domain/invariant.ts';
import type { Side } from '../../domain/order.ts';
import { parsedUrl } from '../../domain/text.ts';
import type { HttpRequest } from '../../ports/transport.ts';
import { ENDPOINTS } from '../../venue/endpoints.ts';
import type { CancelRequest, CreateRequest } from '../../venue/requests.ts';

const SIDES: ReadonlyMap<unknown, Side> = new Map([
  ['BUY', 'buy'],
  ['SELL', 'sell'],
]);

/** Throws where the request asks for anything else, whatever made it so: nothing has been sent yet. */
export function assertSameWrite(
  http: Pick<HttpRequest, 'method' | 'url' | 'body'>,
  asked: CreateRequest | CancelRequest,
): void {
  const { method, path } = ENDPOINTS[asked.kind];
  const isThere = http.method === method && parsedUrl(http.url)?.pathname.endsWith(path) === true;
  invariant(
    isThere && asksFor(http.body, asked),
    () => `The request that was about to leave is not ${wordsOf(asked)}.`,
  );
}

function asksFor(body: string | null, asked: CreateRequest | CancelRequest): boolean {
  const sent = fieldsOf(body);
  switch (asked.kind) {
    case 'create': {
      const { symbol, side, price, quantity } = asked.order;
      const isOrder = sent.symbol === symbol && SIDES.get(sent.action) === side && sent.type === 'LIMIT';
      const isSoMuch = isAmount(sent.price, price) && isAmount(sent.quantity, quantity);
      return isOrder && isSoMuch && Object.keys(sent).length === 5;
    }
    case 'cancel':
      return sent.order_id === asked.orderId && Object.keys(sent).length === 1;
    case 'cancel-symbol':
      return sent.symbol === asked.symbol && Object.keys(sent).length === 1;
    case 'cancel-all':
      return body === null;
    default:
      return assertNever(asked);
  }
}

const isAmount = (text: unknown, amount: Decimal): boolean =>
  typeof text === 'string' && parseDecimal(text)?.eq(amount) === true;

function fieldsOf(body: string | null): Readonly<Record<string, unknown>> {
  const parsed: unknown = JSON.parse(body ?? '{}');
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
}

function wordsOf(asked: CreateRequest | CancelRequest): string {
  if (asked.kind !== 'create') return `the ${asked.kind} that was asked for`;
  const { symbol, side, price, quantity } = asked.order;
  return `the approved order ${symbol} ${side} ${plain(quantity)} @ ${plain(price)}`;
}
