// What became of a mutant that was played, and how that is told.
import type { InvariantId } from '../checks/invariants.ts';
import type { ProfileName } from '../profile/profile.ts';
import type { RandomMutant } from './random-mutant.ts';

export type Outcome =
  /** A check of the simulator noticed it. */
  | { readonly kind: 'noticed'; readonly seed: number; readonly invariant: InvariantId; readonly sentence: string }
  /** A seed took several times as long as any does without it, and was ended. */
  | { readonly kind: 'hang'; readonly seed: number | null }
  /** The program threw, or its process ended: it shows that something is wrong, and is no merit of the checks. */
  | { readonly kind: 'threw'; readonly seed: number | null; readonly words: string }
  | { readonly kind: 'does-not-load'; readonly words: string }
  /** Nothing broke, though a message, a record or a notice was another one; `seed` was the first. */
  | { readonly kind: 'not-noticed'; readonly seed: number }
  /** Every message, record and notice of every seed was as without it: it changes nothing, or nothing there. */
  | { readonly kind: 'nothing-changed' }
  /** No seed runs its place. */
  | { readonly kind: 'not-run' }
  /** No seed loads the file: what it does is for other tests. */
  | { readonly kind: 'file-not-loaded' };

export type OutcomeKind = Outcome['kind'];

/** Nothing came of it, in the order in which more came of it. */
export const UNNOTICED: ReadonlySet<OutcomeKind> = new Set<OutcomeKind>(['not-noticed', 'nothing-changed', 'not-run']);

export interface PlayedMutant {
  readonly mutant: RandomMutant;
  readonly outcome: Outcome;
  /** In which it came out; null where all were played, or none loads its file. */
  readonly profile: ProfileName | null;
}

const LONGEST_CODE = 60;
const LONGEST_SENTENCE = 160;

export function lineOf({ mutant, outcome, profile }: PlayedMutant): string {
  const { file, line, original, replacement } = mutant;
  const mutator = nameOf(mutant);
  const change = `${shortened(original, LONGEST_CODE)} → ${shortened(replacement, LONGEST_CODE)}`;
  return `${signOf(outcome)} ${file}:${line} ${mutator}: ${change} — ${wordsOf(outcome, profile)}`;
}

/** What made it; who wrote one by hand gave it a name. */
export const nameOf = ({ mutator, hand }: RandomMutant): string => hand?.id ?? mutator;

function signOf({ kind }: Outcome): string {
  if (kind === 'file-not-loaded') return '–';
  return UNNOTICED.has(kind) ? '✗' : '✓';
}

function wordsOf(outcome: Outcome, profile: ProfileName | null): string {
  switch (outcome.kind) {
    case 'noticed':
      return `${outcome.invariant}${inSeed(outcome.seed, profile)}: ${shortened(outcome.sentence, LONGEST_SENTENCE)}`;
    case 'hang':
      return `hang${inSeed(outcome.seed, profile)}`;
    case 'threw':
      return `threw${inSeed(outcome.seed, profile)}: ${shortened(outcome.words, LONGEST_SENTENCE)}`;
    case 'does-not-load':
      return `does not load: ${shortened(outcome.words, LONGEST_SENTENCE)}`;
    case 'not-noticed':
      return `not noticed, though all is not the same${inSeed(outcome.seed, profile)}`;
    case 'nothing-changed':
      return 'not noticed: every message, record and notice is the same';
    case 'not-run':
      return 'not noticed: no seed runs its place';
    case 'file-not-loaded':
      return 'file not loaded by the simulator';
  }
}

/** Of the default profile the number alone, as in every command. */
const inSeed = (seed: number | null, profile: ProfileName | null): string =>
  seed === null ? '' : ` in seed ${seed}${profile === null || profile === 'default' ? '' : ` of ${profile}`}`;

export function shortened(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
