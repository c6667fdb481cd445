// The last defence of the secrets inside the client: a venue, or what stands before it, may echo the request in its
// answer.
import type { HttpResult } from '../../ports/transport.ts';

const MASK = '[secret]';

/** The result without any of the secrets in its body, so that no message, reason or row made from it can carry one. */
export function scrubbed(result: HttpResult, secrets: readonly string[]): HttpResult {
  if (result.kind === 'fault') return result;
  const body = masked(result.body, secrets);
  return body === result.body ? result : { ...result, body };
}

/** The text without any of the secrets. */
export const masked = (text: string, secrets: readonly string[]): string => secrets.reduce(without, text);

/** JSON may write each character in several ways: `/`, `\/` and `\u002F` are read as the same. */
function without(text: string, secret: string): string {
  if (!text.includes('\\')) return text.replaceAll(secret, MASK);
  const anyForm = Array.from({ length: secret.length }, (_, index) => formsOf(secret.charCodeAt(index)));
  return text.replace(new RegExp(anyForm.join(''), 'g'), MASK);
}

/** A pattern of what is read as this UTF-16 unit: it, a backslash and it, or a backslash and its code. */
function formsOf(unit: number): string {
  const code = unit.toString(16).padStart(4, '0');
  const eitherCase = code.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
  const optional = SHORT_ESCAPES.has(unit) ? '\\\\?' : '';
  return `(?:${optional}\\u${code}|\\\\u${eitherCase})`;
}

const SHORT_ESCAPES: ReadonlySet<number> = new Set(['/', '"', '\\'].map((text) => text.charCodeAt(0)));
