// Fixed mixtures of faults, by the mechanism that they are to meet in: pairs that the subsets of a seed rarely bring
// together. A file of them is played by `npm run sim:many -- --mixtures FILE`.
import { z } from 'zod';
import { fail, ok, type Result } from '../../src/domain/result.ts';
import type { SeedOrder } from '../cli/many-worker.ts';
import { faultOf } from '../faults/catalogue.ts';
import type { FaultId } from '../faults/fault-kinds.ts';
import { PROFILE_NAMES } from '../profile/profile.ts';
import { MOST_HOURS } from './plan.ts';

export const MECHANISMS = [
  'creates',
  'cancels',
  'lists',
  'trades',
  'wallet',
  'market-data',
  'transport',
  'clock',
  'crash',
  'owner',
  'maintenance',
  'watchdog',
  'steering',
] as const;

const isInjected = (id: string): boolean => faultOf(id)?.injection != null;

const mixture = z.strictObject({
  mechanism: z.enum(MECHANISMS),
  faults: z
    .array(
      z.string().refine(isInjected, {
        error: ({ input }) => `${String(input)} is no fault of the catalogue that the simulator injects`,
      }),
    )
    .min(2)
    .max(4),
  seeds: z.array(z.number().int().min(0)).min(1),
  profile: z.enum(PROFILE_NAMES).default('default'),
  hours: z.number().positive().max(MOST_HOURS).default(0.5),
});

const mixtures = z.array(mixture).min(1);
export type Mixture = z.output<typeof mixture>;

/** The error is a sentence that names the place in the file. */
export function readMixtures(file: string, text: string): Result<readonly Mixture[]> {
  const json = parsed(text);
  if (json === undefined) return fail(`--mixtures ${file}: this is no JSON.`);
  const read = mixtures.safeParse(json);
  if (read.success) return ok(read.data);
  const [issue] = read.error.issues;
  const place = issue?.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('') ?? '';
  return fail(`--mixtures ${file}${place}: ${issue?.message ?? 'no list of mixtures'}.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export const ordersOf = (all: readonly Mixture[]): SeedOrder[] =>
  all.flatMap(({ seeds, faults, profile, hours }) =>
    seeds.map((seed) => ({ seed, hours, profile, faults: faults as FaultId[] })),
  );
