// One change of one place in our own sources: made by a program, with which no check was written in mind, or by hand.

export interface RandomMutant {
  /** From the root of the tree. */
  readonly file: string;
  /** Both from 1, for people. */
  readonly line: number;
  readonly column: number;
  /** The place in the text of the file. */
  readonly start: number;
  readonly end: number;
  readonly mutator: string;
  readonly original: string;
  readonly replacement: string;
  /** Of a mutant that a person wrote down. */
  readonly hand?: { readonly id: string; readonly sentence: string } | undefined;
}

/** The mutator of those that a person wrote down. */
export const BY_HAND = 'by hand';

/** Where a whole statement is replaced; everywhere else it is an expression. */
const CASE = /^(?:case\b|default\s*:)/;

/** The source with the mutant in it; null where another text stands at its place. */
export function spliced(source: string, mutant: RandomMutant): string | null {
  const { start, end, original } = mutant;
  if (source.slice(start, end) !== original) return null;
  return source.slice(0, start) + standingAlone(mutant) + source.slice(end);
}

/**
 * What was written by hand stands as it is. An expression binds as it did only in brackets: `a || b` where `a && b`
 * stood beside another operator.
 */
function standingAlone({ mutator, original, replacement }: RandomMutant): string {
  if (mutator === BY_HAND || mutator === 'BlockStatement' || CASE.test(original)) return replacement;
  // What a comment at its end would swallow stands on a line of its own.
  return replacement.includes('//') ? `(${replacement}\n)` : `(${replacement})`;
}
