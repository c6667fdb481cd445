// The bodies of answers as rows, with the type that each value had in the JSON.

import { readJson, readJsonExact } from '../../../domain/text.ts';
import { isObject, type RawObject, readErrorBody } from '../../../venue/parsers/fields.ts';
import type { Answer } from './answer.ts';

/** The body, or `undefined` where it is not JSON. Numbers are floats: for types, times and counts. */
export function jsonOf(answer: Answer): unknown {
  const json = readJson(answer.body);
  return json.ok ? json.value : undefined;
}

/** The body with each number as the text that it was written as: for money and ids. */
export function exactJsonOf(answer: Answer): unknown {
  const json = readJsonExact(answer.body);
  return json.ok ? json.value : undefined;
}

/** The objects of a list; none where the body is no list. */
export function rowsOf(answer: Answer): readonly RawObject[] {
  return objectsOf(jsonOf(answer));
}

/** The same with numbers as text. */
export function exactRowsOf(answer: Answer): readonly RawObject[] {
  return objectsOf(exactJsonOf(answer));
}

const objectsOf = (json: unknown): readonly RawObject[] => (Array.isArray(json) ? json.filter(isObject) : []);

/** The error code of an answer, or `null` where it has none. */
export function codeOf(answer: Answer): number | null {
  return readErrorBody(jsonOf(answer))?.code ?? null;
}

/** `HTTP 403 with -2003`, `HTTP 404`, or the sentence of the fault: never words of the venue's. */
export function answeredWith(answer: Answer): string {
  if (answer.status === null) return answer.fault ?? 'no answer';
  const code = codeOf(answer);
  return code === null ? `HTTP ${answer.status}` : `HTTP ${answer.status} with ${code}`;
}
