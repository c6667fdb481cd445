// A network with faults for a run of `play`: each kind by its chance, drawn from the seed of the run.
import type { PlaySettings, TransportPlace } from '../../src/backtest/play.ts';
import { randomStream, uniform } from '../../src/crowd/random.ts';
import type { Transport } from '../../src/ports/transport.ts';
import type { FaultPlan, MessageFault } from './fault-plan.ts';
import { faultyTransport } from './faulty-transport.ts';

export interface FaultyNetwork {
  readonly plan: FaultPlan;
  readonly seed: PlaySettings['seed'];
  /** Called for each fault as it is injected. */
  readonly onFault?: (fault: MessageFault) => void;
}

/** The network with the plan's faults. Equal seeds give equal faults. */
export function throughFaults(network: Transport, place: TransportPlace, faulty: FaultyNetwork): Transport {
  const draws = randomStream(faulty.seed, 'faults');
  return faultyTransport({
    inner: network,
    plan: faulty.plan,
    clock: place.clock,
    sleep: place.sleep,
    random: { next: () => uniform(draws) },
    onFault: (fault) => faulty.onFault?.(fault),
  });
}
