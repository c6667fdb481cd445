// The error body `{code, msg}` (specification §7): the code as number or text, the message made fit for a log.
import { isObject } from './fields.ts';

export interface ErrorBody {
  readonly code: number;
  readonly msg: string;
}

const CODE = /^-?\d{1,9}$/;
const LONGEST_MESSAGE = 300;

/** The well-formed error in a JSON value, or `null`. Zero is no error code. */
export function readErrorBody(json: unknown): ErrorBody | null {
  if (!isObject(json)) return null;
  const code = readCode(json.code);
  return code === null || typeof json.msg !== 'string' ? null : { code, msg: plainMessage(json.msg) };
}

/** One line of at most 300 characters, without control characters. */
export function plainMessage(text: string): string {
  const line = text.replace(/\p{C}+/gu, ' ').trim();
  return line.length > LONGEST_MESSAGE ? `${line.slice(0, LONGEST_MESSAGE)}…` : line;
}

function readCode(value: unknown): number | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
  return CODE.test(text) && Number(text) !== 0 ? Number(text) : null;
}
