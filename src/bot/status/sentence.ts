// Small pieces of sentences.

/** With a full stop where it has no end yet. */
export const ended = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** `a`, `a and b`, `a, b and c`. */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

/** Thousands separated by commas. */
export function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.');
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? separated : `${separated}.${fraction}`;
}
