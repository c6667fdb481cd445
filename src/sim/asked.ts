// What was asked of a run beside its seed, in words.
import type { PlanChanges } from './plan.ts';

/** As `npm run sim` takes it. */
export function askedOf({ faults, quirks = {} }: PlanChanges): string {
  const named = faults === undefined ? '' : ` --faults ${faults.join(',') || 'none'}`;
  return (
    named +
    Object.entries(quirks)
      .map(([name, value]) => ` --quirk ${name}=${String(value)}`)
      .join('')
  );
}
