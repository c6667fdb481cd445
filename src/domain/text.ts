// Text from outside: JSON, addresses, and sanitized display.
import { fail, ok, type Result } from './result.ts';

/** No input of the program nests a tenth as deep. The size of a text is bounded where its bytes are read. */
export const DEEPEST_JSON = 64;

/** For market data: numbers become floats. */
export function readJson(text: string): Result<unknown> {
  return guarded(text, () => JSON.parse(text));
}

/**
 * For money and ids: each JSON number becomes text, exactly as written (F15), so that parsers treat numbers and texts
 * alike. Numbers are quoted before parsing, because Node 20's reviver can't see the source text. Several times slower
 * than `readJson`: for small bodies only.
 */
export function readJsonExact(text: string): Result<unknown> {
  return guarded(text, () => {
    // Proves that the text is JSON: quoted, even `01` and `1-2` would parse.
    JSON.parse(text);
    return JSON.parse(text.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${token}"`)));
  });
}

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

// The engine's own message quotes the text, so it is not passed on.
function guarded(text: string, parse: () => unknown): Result<unknown> {
  if (isTooDeep(text)) return fail(`The body of ${text.length} characters nests deeper than ${DEEPEST_JSON} levels.`);
  try {
    return ok(parse());
  } catch {
    return fail(`The body of ${text.length} characters is not JSON.`);
  }
}

/** Counts brackets outside of strings, which in JSON always nest. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (isString) {
      if (character === '\\') index += 1;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === '[' || character === '{') {
      depth += 1;
      if (depth > DEEPEST_JSON) return true;
    } else if (character === ']' || character === '}') depth -= 1;
  }
  return false;
}

// Text from outside (an exchange, a file, a person) made safe to show: characters that are invisible, move the cursor,
// change the writing direction or forge a line are written as `\u202e`.

/** Control and format characters, separators of lines and paragraphs, halves of a pair. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Each unit as a JSON escape. */
export const plainText = (text: string): string =>
  text.replace(HIDDEN, (sign) =>
    Array.from({ length: sign.length }, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );

/** The same for text whose lines and tabs are our own. JSON stays the same JSON. */
export const plainLines = (text: string): string =>
  text
    .split(/([\n\t])/)
    .map((part, index) => (index % 2 === 0 ? plainText(part) : part))
    .join('');

/** `URL.parse`, missing in the oldest Node that the client supports. Null if the text is no URL. */
export const parsedUrl = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);
