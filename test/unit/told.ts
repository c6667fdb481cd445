// What is told to people, looked at whenever a test lets something be told: a known level, a name, and a sentence
// without a gap.

interface Told {
  readonly level: string;
  readonly op: string;
  readonly message: string;
}

const NAME = /^[a-z]+(?:-[a-z]+)*$/;
/** Begins with a word or a number, and ends with a period, or as what it cites of others does. */
const SENTENCE = /^[\p{L}\d`+-].*[\p{L}\d.?)`'"]$/su;
/** What is left where a part of a sentence is missing, or was no text. */
const GAP = / {2}|\s[.,;:]|[,;:][.,;:]|\(\s*\)|:$|\b(?:undefined|Infinity)\b|\[object /;

/** What is wrong with each of these, for levels that are known where they go. */
export function badlyTold(entries: readonly Told[], levels: readonly string[]): string[] {
  return entries.flatMap(({ level, op, message }) => {
    const bad = [
      ...(levels.includes(level) ? [] : [`the level ${JSON.stringify(level)}`]),
      ...(NAME.test(op) ? [] : [`the name ${JSON.stringify(op)}`]),
      ...sentenceFaults(message).map((fault) => `a message that ${fault}`),
    ];
    return bad.map((what) => `${op || 'Something'} is told with ${what}: ${JSON.stringify(message)}.`);
  });
}

/** What a text lacks of a sentence. */
export function sentenceFaults(text: string): string[] {
  const gap = GAP.exec(text);
  return [
    ...(SENTENCE.test(text) ? [] : ['is no sentence']),
    ...(gap === null ? [] : [`has a gap (${JSON.stringify(gap[0])})`]),
  ];
}
