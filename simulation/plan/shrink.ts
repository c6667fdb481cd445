// Finds a smaller run that breaks the same invariant: first with fewer faults, then in less time.
import type { InvariantId } from '../checks/invariants.ts';
import { simulate } from '../machine/simulate.ts';
import { drawPlan, ownHours, type Plan, planned } from './plan.ts';

/** Shares of the time to try, the shortest first. */
const SHORTER = [1 / 8, 1 / 4, 1 / 2, 3 / 4];
const SHORTEST_HOURS = 0.1;

/** Reports each step. Returns the given plan if nothing smaller breaks the invariant. */
export async function shrink(plan: Plan, invariant: InvariantId, tell: (line: string) => void): Promise<Plan> {
  let best = plan;
  const breaks = async (tried: Plan): Promise<boolean> => {
    const { violations } = await simulate(tried);
    return violations.some((violation) => violation.invariant === invariant);
  };
  const smaller = (faults: ReturnType<typeof planned>, hours: number): Plan =>
    drawPlan(plan.seed, {
      profile: plan.profile,
      faults,
      hours,
      quirks: plan.askedQuirks,
      sparse: plan.sparse,
      firstKinds: plan.firstKinds,
    });
  for (const id of planned(plan)) {
    const tried = smaller(
      planned(best).filter((each) => each !== id),
      ownHours(best),
    );
    if (!(await breaks(tried))) continue;
    best = tried;
    tell(`without ${id} it breaks ${invariant} too`);
  }
  for (const share of SHORTER) {
    const hours = Math.max(SHORTEST_HOURS, share * ownHours(plan));
    const tried = smaller(planned(best), hours);
    if (!(await breaks(tried))) continue;
    tell(`in ${hours} h it breaks ${invariant} too`);
    return tried;
  }
  return best;
}
