// Orders, rows and outcomes as short lines that a table can hold.
import { decimal } from '../../src/domain/decimal.ts';
import type { OrderRequest } from '../../src/domain/order.ts';
import { type TradeWindow, tradeWindow } from '../../src/venue/bounds.ts';
import { type ErrorCode, provesNotCreated } from '../../src/venue/dialect.ts';
import type { Completed } from '../../src/venue/outcomes.ts';
import { remedyOf } from '../../src/venue/refusals.ts';
import type { EndpointName } from '../../src/venue/requests.ts';

/** `BUY 0.01000 @ 5000000.00 BTC/INR`; the symbol may be left out. */
export function orderOf(text: string): OrderRequest {
  const [action = '', quantity = '', , price = '', symbol = 'BTC/INR'] = text.split(' ');
  return { symbol, side: action === 'BUY' ? 'buy' : 'sell', price: decimal(price), quantity: decimal(quantity) };
}

/**
 * What became of a request: `accepted`, `rejected 400 -1114 fix-request`, `throttled 503`, `unknown 500 -5013`,
 * `read`, `read, incomplete`. A rejection carries what the program does about it.
 */
export function verdictOf({ outcome }: Completed): string {
  switch (outcome.kind) {
    case 'read':
      return outcome.read.complete ? 'read' : 'read, incomplete';
    case 'rejected':
      return `rejected ${outcome.status} ${outcome.code} ${remedyOf(outcome.refusal)}`;
    case 'throttled':
      return `throttled ${outcome.status}`;
    case 'failed':
    case 'not-sent':
    case 'unknown':
      return [outcome.kind, outcome.fault.status, outcome.fault.code].filter((part) => part !== undefined).join(' ');
    case 'accepted':
    case 'soft-rejected':
    case 'acknowledged':
      return outcome.kind;
  }
}

/** Both ends included; throws where the trade lists allow no such window. */
export function windowOf(startTime: number, endTime: number): TradeWindow {
  const window = tradeWindow(startTime, endTime);
  if (!window.ok) throw new Error(window.error);
  return window.value;
}

/** What the client must make of a code, by who was asked. */
export function wantedOf(endpoint: EndpointName, wanted: ErrorCode): string {
  const { code, status, kind } = wanted;
  const rejected = `rejected ${status} ${code} ${remedyOf(kind)}`;
  const unknown = `unknown ${status} ${code}`;
  switch (endpoint) {
    case 'create':
      if (provesNotCreated(wanted)) return rejected;
      return status === 429 ? 'soft-rejected' : unknown;
    case 'cancel':
    case 'cancel-symbol':
    case 'cancel-all':
      if (status === 429) return 'throttled 429';
      return status < 500 ? rejected : unknown;
    default:
      if (status === 429 || status === 503) return `throttled ${status}`;
      return endpoint.startsWith('legacy-') ? `failed ${status} ${code}` : rejected;
  }
}
