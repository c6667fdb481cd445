// A finding about one open question: the answer in words and as a value, the evidence, the confidence, and the
// resulting setting.
import type { InstrumentSymbol } from '../../domain/instrument.ts';

/**
 * `proved`: the answers allow no other explanation. `likely`: another one needs a coincidence. `suspected`: a person
 * should look. `unknown`: still open.
 */
export type Confidence = 'proved' | 'likely' | 'suspected' | 'unknown';

export type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value };

/** A configuration setting, at the top level or in a symbol's run, with its value. */
export interface Setting {
  readonly symbol: InstrumentSymbol | null;
  readonly path: readonly string[];
  /** As YAML text. */
  readonly value: string;
}

export interface Finding {
  /** For machines: `rate-limit.public`, `tick-size.BTC/INR`. */
  readonly id: string;
  /** For people. */
  readonly question: string;
  /** The answer in a few words. */
  readonly finding: string;
  readonly value: Value;
  /** What the answers showed. */
  readonly evidence: string;
  readonly confidence: Confidence;
  /** Absent if no setting follows, or if the evidence is too weak to change one. */
  readonly setting?: Setting;
}

export type Question = Pick<Finding, 'id' | 'question'>;

/** A question that stays open, and what evidence is missing. */
export function open(about: Question, evidence: string): Finding {
  return { ...about, finding: 'not known', value: null, evidence, confidence: 'unknown' };
}

/** `3 answers`, `1 answer`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
