// The command that repeats a run.
import type { PlanChanges } from './plan.ts';

/** Options that replace the seed's draws, as `npm run sim` takes them. */
export function reproFlags({ profile = 'default', faults, quirks = {}, firstKinds = false }: PlanChanges): string {
  const named = faults === undefined ? '' : ` --faults ${faults.join(',') || 'none'}`;
  return (
    (profile === 'default' ? '' : ` --profile ${profile}`) +
    named +
    Object.entries(quirks)
      .map(([name, value]) => ` --quirk ${name}=${String(value)}`)
      .join('') +
    (firstKinds ? ' --first-kinds' : '')
  );
}

export interface Repro {
  readonly seed: string;
  readonly hours: number;
  readonly sparse: boolean;
  readonly asked: string;
}

export const reproCommand = ({ seed, hours, sparse, asked }: Repro): string =>
  `npm run sim -- --seed ${seed} --hours ${hours}${sparse ? ' --sparse' : ''}${asked}`;
