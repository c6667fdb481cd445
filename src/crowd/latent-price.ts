// The price that nobody quotes and everybody guesses: random walks, known some way ahead because the informed see it
// early.
import { invariant } from '../domain/invariant.ts';
import type { DurationMs, EpochMs } from '../domain/time.ts';
import { HOUR, SECOND } from '../domain/time.ts';
import { chance, normal, type RandomStream, randomStream } from './random.ts';
import type { LatentSettings } from './synthetic-settings.ts';

/** The walks move in steps of this length. */
export const LATENT_STEP_MS: DurationMs = 500;

type WalkSettings = Extract<LatentSettings, { kind: 'walk' }>;

/** One walk: logarithms of the price over its start price, the present step first, then the steps to come. */
export interface WalkState {
  readonly stream: RandomStream;
  readonly path: number[];
}

export function startWalk(
  settings: WalkSettings,
  known: { seed: number | string; name: string; leadMs: DurationMs },
): WalkState {
  const walk: WalkState = { stream: randomStream(known.seed, `latent.${known.name}`), path: [0] };
  while (!knowsAhead(walk, known.leadMs)) walk.path.push(nextStep(walk, settings));
  return walk;
}

/** Moves the walk on by one step; writes into it. */
export function moveWalk(walk: WalkState, settings: WalkSettings): void {
  walk.path.push(nextStep(walk, settings));
  walk.path.shift();
}

function knowsAhead({ path }: WalkState, leadMs: DurationMs): boolean {
  return path.length > stepsAhead(leadMs);
}

/** The price so far ahead; throws beyond what the walk was started with. */
export function walkPrice(walk: WalkState, settings: WalkSettings, leadMs: DurationMs): number {
  const step = walk.path[stepsAhead(leadMs)];
  invariant(step !== undefined, () => `A walk of ${walk.path.length} steps is not known ${leadMs} ms ahead.`);
  return settings.startPrice * Math.exp(step);
}

/** The start of the step that holds `now`, for walks that began at `startAt`. */
export function stepStart(startAt: EpochMs, now: EpochMs): EpochMs {
  return now - ((now - startAt) % LATENT_STEP_MS);
}

function stepsAhead(leadMs: DurationMs): number {
  return Math.ceil(leadMs / LATENT_STEP_MS);
}

function nextStep({ stream, path }: WalkState, settings: WalkSettings): number {
  const before = path[path.length - 1] ?? 0;
  const seconds = LATENT_STEP_MS / SECOND;
  const diffusion = bps(settings.volatilityBpsPerSqrtSecond) * Math.sqrt(seconds) * normal(stream);
  // Drawn in any case, so that another jump size leaves the rest of the walk as it was.
  const jumps = chance(stream, (settings.jumpsPerHour * LATENT_STEP_MS) / HOUR);
  const jump = bps(settings.jumpBps) * normal(stream);
  return before * (1 - settings.reversionPerSecond * seconds) + diffusion + (jumps ? jump : 0);
}

function bps(value: number): number {
  return value / 10_000;
}
