// Turns zod issues into sentences that name the field, its value, and the expected value.
import type { z } from 'zod';

/** Why an input is refused. */
export interface Refusal {
  /** `fault.status`, `disabledEndpoints[0]`; empty for the whole. */
  readonly field: string;
  readonly sentence: string;
}

const LONGEST_SHOWN = 60;

/** One refusal per fault in `input`. */
export function refusalsOf(issues: readonly z.core.$ZodIssue[], input: unknown): readonly Refusal[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [refusalOf(issue, input)];
    return issue.keys.map((key) => {
      const field = fieldText([...issue.path, key]);
      return { field, sentence: `${field}: is not known here.` };
    });
  });
}

function refusalOf(issue: z.core.$ZodIssue, input: unknown): Refusal {
  const field = fieldText(issue.path);
  const name = field === '' ? 'The body' : field;
  const value = valueAt(input, issue.path);
  if (value === undefined) return { field, sentence: `${name}: missing; expected ${expectedBy(issue)}.` };
  const shown = /secret$/i.test(field) ? 'the value (not shown)' : shownValue(value);
  if (issue.code === 'custom') return { field, sentence: `${name}: ${shown} ${issue.message}.` };
  if (issue.code === 'invalid_key') return { field, sentence: `${name}: its name is not ${expectedBy(issue)}.` };
  return { field, sentence: `${name}: ${shown} is not ${expectedBy(issue)}.` };
}

/** The expected value, for the end of a sentence. */
function expectedBy(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      // A schema's own message is more precise.
      return ZOD_WORDS.test(issue.message) ? (TYPES[issue.expected] ?? issue.expected) : issue.message;
    case 'invalid_value':
      return oneOf(issue.values);
    case 'invalid_union':
      return unionOf(issue);
    case 'invalid_key':
      return issue.issues.map(expectedBy).join(' or ');
    case 'too_small':
      return `${UNITS[issue.origin] ?? 'a number'} of at least ${issue.minimum}${LENGTHS[issue.origin] ?? ''}`;
    case 'too_big':
      return `${UNITS[issue.origin] ?? 'a number'} of at most ${issue.maximum}${LENGTHS[issue.origin] ?? ''}`;
    default:
      return issue.message;
  }
}

const ZOD_WORDS = /^Invalid /;
const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};
const UNITS: Readonly<Record<string, string>> = { string: 'text', array: 'a list' };
const LENGTHS: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' };

function oneOf(values: readonly unknown[]): string {
  const words = values.map(String).join(', ');
  return values.length === 1 ? words : `one of ${words}`;
}

/** The names of the branches, or if they have none, what each would have accepted here. */
function unionOf(issue: z.core.$ZodIssueInvalidUnion): string {
  // zod sets this, but its types omit it.
  const options: unknown = Reflect.get(issue, 'options');
  if (Array.isArray(options)) return oneOf(options);
  const wanted = issue.errors.flatMap((issues) => issues.slice(0, 1).map(expectedBy));
  return [...new Set(wanted)].join(' or ');
}

function fieldText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, step) => {
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, step);
    return isThere ? Reflect.get(value, step) : undefined;
  }, input);
}

function shownValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'the value';
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}
