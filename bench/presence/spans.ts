// Stretches of time, and what of them two share. Pure.
import type { DurationMs, EpochMs } from '../../src/domain/time.ts';

export interface Span {
  readonly from: EpochMs;
  /** Not part of it. */
  readonly until: EpochMs;
}

export const lengthOf = ({ from, until }: Span): DurationMs => Math.max(0, until - from);

export function lengthOfAll(spans: readonly Span[]): DurationMs {
  return spans.reduce((sum, span) => sum + lengthOf(span), 0);
}

/** What lies in both; empty where `from` is `until`. */
export function common(a: Span, b: Span): Span {
  const from = Math.max(a.from, b.from);
  return { from, until: Math.max(from, Math.min(a.until, b.until)) };
}

/** What is left of a span without the others, which may overlap. */
export function without(whole: Span, others: readonly Span[]): readonly Span[] {
  const left: Span[] = [];
  let from = whole.from;
  for (const other of others.toSorted((a, b) => a.from - b.from)) {
    if (other.from > from) left.push(common(whole, { from, until: other.from }));
    from = Math.max(from, other.until);
  }
  left.push(common(whole, { from, until: whole.until }));
  return left.filter((span) => lengthOf(span) > 0);
}

/** Time that is covered, told piece by piece in the order of their beginnings. */
export interface Cover {
  add(span: Span): void;
  /** How much of a span is covered. */
  within(span: Span): DurationMs;
  /** Nothing before this moment is asked for again. */
  forget(before: EpochMs): void;
}

export function createCover(): Cover {
  let pieces: Span[] = [];
  return {
    add(span) {
      const last = pieces.at(-1);
      if (last === undefined || span.from > last.until) pieces.push(span);
      else pieces[pieces.length - 1] = { from: last.from, until: Math.max(last.until, span.until) };
    },
    within: (span) => lengthOfAll(pieces.map((piece) => common(piece, span))),
    forget(before) {
      if (pieces.length > 1) pieces = pieces.filter(({ until }) => until > before);
    },
  };
}
