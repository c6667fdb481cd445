// Configuration files are read by editors, copied into tickets and shown in parts on the page: no secret belongs there.
import { type Located, locate, type Place } from '../located.ts';

/** A sentence with file and line of the first key or value that gives away a secret; null where none does. */
export function secretLine(texts: ReadonlyMap<string, string>, holdsSecret: (text: string) => boolean): string | null {
  for (const [file, text] of texts) {
    const { root } = locate(file, text);
    const found = root && textsIn(root).find((each) => holdsSecret(each.text));
    if (found)
      return `${file}:${found.at.line}: A token or key of the bot stands here; name the file or variable that has it.`;
  }
  return null;
}

interface PlacedText {
  readonly text: string;
  readonly at: Place;
}

/** Every key and every value; comments are neither. */
function textsIn(node: Located): PlacedText[] {
  if (node.kind === 'scalar') return [String(node.value), node.source].map((text) => ({ text, at: node.at }));
  if (node.kind === 'list') return node.items.flatMap(textsIn);
  return [...node.entries].flatMap(([key, { keyAt, value }]) => [{ text: key, at: keyAt }, ...textsIn(value)]);
}
