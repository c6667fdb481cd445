// Text from outside (an exchange, a file, a person) as it may be shown anywhere: signs that nobody sees, and that move
// a cursor, turn the direction of writing or forge a line, are written as `\u202e`.

/** Control and format characters, separators of lines and paragraphs, halves of a pair. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Each unit as JSON escapes it. */
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
