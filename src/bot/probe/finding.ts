// A finding about one open question: the answer in words and as a value, the evidence, the confidence, and the setting
// that follows.
import type { InstrumentSymbol } from '../../domain/instrument.ts';

/**
 * `proved`: no other reading of the answers is possible. `likely`: another one needs a coincidence. `suspected`: a
 * person should look. `unknown`: still open.
 */
export type Confidence = 'proved' | 'likely' | 'suspected' | 'unknown';

export type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value };

/** Where a finding goes in a configuration, at its top or in the run of a symbol, and what is written there. */
export interface Setting {
  readonly symbol: InstrumentSymbol | null;
  readonly path: readonly string[];
  /** As it is written in YAML. */
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
  /** What was seen. */
  readonly evidence: string;
  readonly confidence: Confidence;
  /** Left out where no setting follows, or where the evidence is too thin to change one. */
  readonly setting?: Setting;
}

export type Question = Pick<Finding, 'id' | 'question'>;

/** A question that stays open, with what would answer it. */
export function open(about: Question, evidence: string): Finding {
  return { ...about, finding: 'not known', value: null, evidence, confidence: 'unknown' };
}

/** `3 answers`, `1 answer`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
