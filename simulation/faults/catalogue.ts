// All faults of order-truth §7 in order, those beyond it, and the ones that this simulator injects.
import { LATER_FAULTS, OUTSIDE_FAULTS } from '../outside/catalogue-outside.ts';
import { WATCHDOG_FAULTS } from '../watchdog/catalogue-watchdog.ts';
import { CREATE_FAULTS } from './catalogue-create.ts';
import { MACHINE_FAULTS } from './catalogue-machine.ts';
import { MARKET_FAULTS } from './catalogue-market.ts';
import { ORDERS_FAULTS } from './catalogue-orders.ts';
import { TRADES_FAULTS } from './catalogue-trades.ts';
import type { FaultId, FaultSpec, Injection } from './fault-kinds.ts';

export const CATALOGUE: readonly FaultSpec[] = [
  ...CREATE_FAULTS,
  ...ORDERS_FAULTS,
  ...TRADES_FAULTS,
  ...MARKET_FAULTS,
  ...MACHINE_FAULTS,
  ...OUTSIDE_FAULTS,
  ...WATCHDOG_FAULTS,
  ...LATER_FAULTS,
];

/** A fault that this simulator can inject. */
export type SimFault = FaultSpec & { readonly injection: Injection };

export const SIM_FAULTS: readonly SimFault[] = CATALOGUE.filter((fault): fault is SimFault => fault.injection !== null);

const OUTSIDE: ReadonlySet<FaultId> = new Set([...OUTSIDE_FAULTS, ...LATER_FAULTS].map(({ id }) => id));

/** Added to the catalogue later than the others. */
export const isLaterFault = ({ id }: SimFault): boolean => OUTSIDE.has(id);

/** A run with one of these has a watchdog next to the bot. */
export const isWatchdogFault = ({ injection }: Pick<FaultSpec, 'injection'>): boolean => injection?.via === 'watchdog';

const BY_ID: ReadonlyMap<FaultId, FaultSpec> = new Map(CATALOGUE.map((fault) => [fault.id, fault]));

export function faultOf(id: string): FaultSpec | null {
  return BY_ID.get(id as FaultId) ?? null;
}
