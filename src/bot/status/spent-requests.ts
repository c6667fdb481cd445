// What the last requests were spent on: they are scarce, and each was chosen over the others.

import { shownPlain } from '../../domain/decimal.ts';
import { parseSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { Chosen } from '../../trader/durable/chosen.ts';
import { ENDPOINTS } from '../../venue/endpoints.ts';
import type { Completed } from '../../venue/outcomes.ts';

export interface SpentRequest {
  readonly at: EpochMs;
  readonly lane: string;
  readonly kind: string;
  /** Null where it is about the account. */
  readonly symbol: string | null;
  readonly purpose: string;
  /** Of a create: what its order is worth in quote, as plain text. */
  readonly notional: string | null;
  readonly outcome: string;
  readonly tookMs: number;
}

const MOST = 20;

export interface SpentRequests {
  take(chosen: Chosen, completed: Completed): void;
  /** The newest first. */
  last(): readonly SpentRequest[];
}

export function spentRequests(): SpentRequests {
  let last: readonly SpentRequest[] = [];
  return {
    take({ request, purpose }, { kind, outcome, facts }) {
      const order = request.kind === 'create' ? request.order : null;
      const symbol = order?.symbol ?? ('symbol' in request ? (request.symbol ?? null) : null);
      const spent: SpentRequest = {
        at: facts.sentAt,
        lane: ENDPOINTS[kind].lane,
        kind,
        symbol,
        purpose,
        notional:
          order === null ? null : shownPlain(order.price.mul(order.quantity), parseSymbol(order.symbol)?.quote ?? ''),
        outcome: outcome.kind,
        tookMs: facts.receivedAt - facts.sentAt,
      };
      last = [spent, ...last].slice(0, MOST);
    },
    last: () => last,
  };
}
