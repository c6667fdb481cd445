// Tells the oracle which intent's bytes reach the exchange, and which order they became.
import type { DeliveryWitness } from '../../src/backtest/exchange-transport.ts';
import type { Oracle } from '../checks/oracle.ts';
import type { WireNames } from '../checks/wire-names.ts';

export interface LabelParts {
  readonly names: WireNames;
  readonly oracle: Oracle;
  /** Takes in changes at the exchange. */
  readonly look: () => void;
}

export function labelDeliveries({ names, oracle, look }: LabelParts): DeliveryWitness {
  return {
    delivered(request) {
      const intent = names.intentOf(request);
      if (intent) oracle.delivering(intent);
    },
    handed(request, response) {
      const intent = names.intentOf(request);
      if (!intent || response === null) return;
      const orderId = /"order_id":"?([^",}]+)"?/.exec(response.body)?.[1];
      if (orderId !== undefined) return oracle.named(intent.intentId, orderId);
      look();
      oracle.refused(intent.intentId);
    },
  };
}
