// What the parts of a run with a journal that was put back know of it.
import type { VirtualTime } from '../../src/backtest/virtual-time.ts';
import type { DurationMs, EpochMs } from '../../src/domain/time.ts';
import type { CheckContext } from '../checks/context.ts';
import type { TrueOrder } from '../checks/oracle.ts';
import type { World } from '../machine/world.ts';
import type { Plan } from '../plan/plan.ts';
import type { RestoredLife } from './restored-life.ts';

/**
 * What shows that the journal is old: the mark that `restore` leaves, the file of own orders, which is newer, or the
 * account alone.
 */
export type Evidence = 'mark' | 'own-orders' | 'account';

export interface Scene {
  readonly plan: Plan;
  readonly time: VirtualTime;
  readonly world: World;
  readonly evidence: Evidence;
  /** See `RestoredOptions`. */
  readonly lie: 'not-mine' | null;
  /** Orders of the owner's. What comes after the journal is lost is the bot's. */
  readonly owners: Set<string>;
  /** What the journal that was put back has booked and named: it lets go of its oldest records. */
  readonly copied: { readonly fills: Set<string>; readonly orders: Set<string> };
  /** When the copy was made, by true time. */
  readonly backupAt: EpochMs;
  readonly traced: (line: string) => void;
  readonly broken: string[];
}

/** What the exchange knows: of the run before, and of whose each order is. */
export const truthOf = ({ world }: Scene): CheckContext => world.context;

/** Once each. */
export function broke({ broken, traced }: Scene, sentence: string): void {
  if (broken.includes(sentence)) return;
  broken.push(sentence);
  traced(`BROKEN ${sentence}`);
}

/** Takes in what the exchange has done. */
export function look(scene: Scene): void {
  const { oracle, exchange } = truthOf(scene);
  oracle.look(exchange(), scene.time.clock.now());
}

/** Whether the journal that was put back has heard of it. */
export const isKnown = ({ copied }: Scene, { journal }: RestoredLife, orderId: string): boolean =>
  copied.orders.has(orderId) || journal.byOrder.has(orderId);

/** Orders of the bot's that rest. */
export const ownResting = (scene: Scene): readonly TrueOrder[] =>
  truthOf(scene)
    .oracle.live()
    .filter(({ orderId }) => !scene.owners.has(orderId));

/** Lets the world go on, and stops at the moment itself, also where nothing happens. */
export function pass({ time }: Scene, ms: DurationMs, done?: () => boolean): Promise<void> {
  void time.sleep(ms);
  return time.run(time.clock.now() + ms, done);
}
