// Orders, rows and outcomes as short lines that a table can hold.
import { decimal } from '../../src/domain/decimal.ts';
import type { OrderRequest } from '../../src/domain/order.ts';
import { errorCode } from '../../src/venue/error-codes.ts';
import type { Completed } from '../../src/venue/outcomes.ts';

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
      return `rejected ${outcome.status} ${outcome.code} ${errorCode(outcome.code)?.remedy}`;
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
