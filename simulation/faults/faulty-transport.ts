// A network that loses, delays, doubles and garbles messages, each kind by its chance.
import type { DurationMs } from '../../src/domain/time.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Random } from '../../src/ports/random.ts';
import type { HttpRequest, Transport } from '../../src/ports/transport.ts';
import { drawFault, type FaultPlan, type MessageFault } from './fault-plan.ts';
import { createMessageFaults } from './message-faults.ts';

export interface FaultyTransportParts {
  readonly inner: Transport;
  readonly plan: FaultPlan;
  readonly clock: Clock;
  readonly random: Random;
  readonly sleep: (ms: DurationMs) => Promise<void>;
  /** Called for every fault as it is injected: for counters and for people. */
  readonly onFault?: (fault: MessageFault, request: HttpRequest) => void;
}

/** Wraps a transport. Draws once per eligible message, so that calm and faulty runs diverge only at a fault. */
export function faultyTransport(parts: FaultyTransportParts): Transport {
  const { inner, plan, clock, random } = parts;
  const inject = createMessageFaults(parts);
  return {
    send(request) {
      const open = clock.now() < plan.until && (plan.hits?.(request) ?? true);
      const fault = open ? drawFault(plan, random.next()) : null;
      if (fault === null) return inner.send(request);
      parts.onFault?.(fault, request);
      return inject(fault, request, random);
    },
    close: () => inner.close(),
  };
}
