// JSON text from outside → values, with a bound on its depth, so that no walk over them can exhaust the stack.
import { fail, ok, type Result } from './result.ts';

/** Nothing that is read here nests a tenth as deep. How large a text may be is bounded where its bytes are read. */
export const DEEPEST_JSON = 64;

/** For market data: numbers become floats. */
export function readJson(text: string): Result<unknown> {
  return guarded(text, () => JSON.parse(text));
}

/**
 * For money and ids: each JSON number comes out as a text, exactly as it was written (F15), so that parsers see numbers
 * and texts as the same thing. Numbers are quoted before they are parsed, because the reviver of Node 20 does not see
 * how they were written. Several times slower than `readJson`: for small bodies only.
 */
export function readJsonExact(text: string): Result<unknown> {
  return guarded(text, () => {
    // Proves that the text is JSON: quoted, `01` and `1-2` would parse as well.
    JSON.parse(text);
    return JSON.parse(text.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${token}"`)));
  });
}

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

// The engine's own message quotes the text: it stays here.
function guarded(text: string, parse: () => unknown): Result<unknown> {
  if (isTooDeep(text)) return fail(`The body of ${text.length} characters nests deeper than ${DEEPEST_JSON} levels.`);
  try {
    return ok(parse());
  } catch {
    return fail(`The body of ${text.length} characters is not JSON.`);
  }
}

/** Counts brackets outside of strings; no bracket is part of anything else in JSON. */
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
