// What a text that people are shown must be, whatever it says.

/** What a program prints by mistake. */
const NOT_FOR_PEOPLE = /\bundefined\b|\bNaN\b|\[object |\bInfinity\b|=>/;
/** Two spaces, or a space before a stop: something that should stand there is missing. */
const GAP = / {2}|\s[.,;](?:\s|$)|\(\)|\(\s|\s\)|^\s|\s$/;

/** What is wrong with a text, as the end of a sentence; null where nothing is. */
export function flawOfText(text: unknown): string | null {
  if (typeof text !== 'string') return `is ${String(text)}`;
  if (text.trim() === '') return 'is empty';
  // What the exchange said is quoted as it came.
  const own = text.replaceAll(/"[^"]*"|'[^']*'/g, '"…"');
  if (NOT_FOR_PEOPLE.test(own)) return 'says what no person reads';
  return GAP.test(own) ? 'has a gap' : null;
}

const LEVELS: readonly string[] = ['debug', 'info', 'warn', 'error'];
const NAME = /^[a-z]+(?:-[a-z]+)*$/;

/** What is wrong with what another process than the bot tells; null where nothing is. */
export function flawOfTold({ level, op, message }: Record<'level' | 'op' | 'message', unknown>): string | null {
  if (!LEVELS.includes(String(level))) return `has the level "${String(level)}"`;
  if (!NAME.test(String(op))) return 'has no name';
  const flaw = flawOfSentence(message);
  return flaw === null ? null : `has a text that ${flaw}`;
}

/** One that ends with a stop; it may begin with the name of a strategy, or go on from a symbol's. */
export function flawOfSentence(text: unknown): string | null {
  return flawOfText(text) ?? (/[.!?…)"]$/.test(String(text)) ? null : 'has no end');
}
