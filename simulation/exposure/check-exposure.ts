// Totals of all orders that may be live (order-truth §8, K2, K3, K4, K8), at every create and every change at the
// exchange: never above the limits of the run, counted by the exchange's truth and the wire.
import type { EpochMs } from '../../src/domain/time.ts';
import type { RunSettings } from '../../src/trader/state/settings.ts';
import type { CheckContext, Checker } from '../checks/context.ts';
import type { Exposed, MayBeLive, Whereabouts } from './may-be-live.ts';
import { measuresOf } from './measures.ts';

/** Share of a limit from which it is about to bind. */
const NEAR_RATIO = 0.95;
/** Also passes requests and answers on to `mayBeLive`. */
export function exposureChecks(mayBeLive: MayBeLive): Checker {
  let near: ReadonlySet<string> = new Set();
  let lastAt: EpochMs | null = null;

  /** `created`: the symbol of a create that has just left; null after a change at the exchange. */
  function judge(context: CheckContext, created: string | null): void {
    const all = mayBeLive.all(context);
    const now = new Set<string>();
    for (const run of context.settings.runs) {
      const here = all.filter((each) => each.run.instrument.symbol === run.instrument.symbol);
      for (const { limit, invariant, value, most, what, movesByOthers } of measuresOf(context, run, {
        all,
        here,
        created,
      })) {
        if (value.gte(most.mul(NEAR_RATIO))) now.add(limit);
        if (value.lte(most) || (movesByOthers && isMovedByOthers(context))) continue;
        const sum = `${value.toFixed()}, and ${most.toFixed()} is the most`;
        context.violated(invariant, `${what}: ${sum}. It counts ${wordsOf(here)}.`);
      }
      if (crossing(context, run, here)) now.add('self-cross');
    }
    near = now;
  }

  /** How long each limit was near to binding, for people: a limit that never is can't be broken. */
  function count(context: CheckContext): void {
    const ms = lastAt === null ? 0 : context.now() - lastAt;
    lastAt = context.now();
    if (ms <= 0 || !context.isUp()) return;
    context.counters.add('ms of exposure', ms);
    for (const limit of near) context.counters.add(`ms near ${limit}`, ms);
  }

  return {
    sent(context, message) {
      mayBeLive.sent(context, message);
      if (message.endpoint === 'create') judge(context, message.body.symbol ?? null);
    },
    answered: mayBeLive.answered,
    event(context, changed) {
      count(context);
      if (changed) judge(context, null);
    },
    crashed: () => {
      lastAt = null;
    },
  };
}

const isMovedByOthers = (context: CheckContext): boolean => context.excused('funds') || context.excused('second-order');

/** K4: no two of the bot's orders may trade with each other. True if they nearly could. */
function crossing(context: CheckContext, { instrument }: RunSettings, here: readonly Exposed[]): boolean {
  const [bid] = here.filter(({ side }) => side === 'buy').toSorted((a, b) => Number(b.ticks - a.ticks));
  const [ask] = here.filter(({ side }) => side === 'sell').toSorted((a, b) => Number(a.ticks - b.ticks));
  if (bid === undefined || ask === undefined) return false;
  const price = ({ ticks }: Exposed): string => instrument.tickSize.mul(String(ticks)).toFixed();
  if (bid.ticks >= ask.ticks)
    context.violated(
      'K4',
      `The bid ${bid.intentId} of ${instrument.symbol} at ${price(bid)} (${bid.where}) would meet the own ` +
        `ask ${ask.intentId} at ${price(ask)} (${ask.where}).`,
    );
  return Number(ask.ticks - bid.ticks) * 20 <= Number(ask.ticks) * NEAR_CROSS_RATIO;
}

/** A twentieth of this share of the price between best bid and best ask counts as nearly none. */
const NEAR_CROSS_RATIO = 0.001;

function wordsOf(orders: readonly Exposed[]): string {
  const count = (where: Whereabouts): number => orders.filter((each) => each.where === where).length;
  return `${count('rests')} that rest, ${count('on-its-way')} on their way and ${count('leaving')} that leave`;
}
