// Lists that trail for a while by up to three times the bot's largest assumed lag (F121 to F123).
import { randomStream, uniform } from '../../src/crowd/random.ts';
import type { DurationMs } from '../../src/domain/time.ts';
import type { ExchangeState } from '../../src/paper/state/state.ts';
import type { Quirks } from '../../src/paper/wire/quirks.ts';
import type { TimedFault } from '../faults/fault-kinds.ts';
import type { Plan } from '../plan/plan.ts';

const LISTS = {
  'late-orders': 'openOrdersLagMs',
  'late-trades': 'tradesLagMs',
  'late-wallet': 'walletLagMs',
} as const satisfies { readonly [Fault in TimedFault]?: keyof Quirks };

export type LateList = keyof typeof LISTS;

export const LATE_LISTS = Object.keys(LISTS) as readonly LateList[];

const MOST_RATIO = 3;

/** How far a list trails while its fault is active: more than assumed, up to three times as much. */
export function latenessOf({ seed, readLagBoundMs }: Plan, list: LateList): DurationMs {
  return Math.ceil(readLagBoundMs * MOST_RATIO ** uniform(randomStream(seed, `late.${list}`)));
}

/** How the exchange's lists trail while these faults are active: the others as usual. */
export function lateLists(
  { settings }: Pick<ExchangeState, 'settings'>,
  plan: Plan,
  active: ReadonlySet<TimedFault>,
): { readonly quirks: Quirks } {
  const open = LATE_LISTS.filter((list) => active.has(list));
  const late = Object.fromEntries(open.map((list) => [LISTS[list], latenessOf(plan, list)]));
  return { quirks: { ...settings.quirks, ...late } };
}
