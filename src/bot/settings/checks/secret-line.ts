// Configuration files are read by editors, copied into tickets and shown in parts on the page: no secret belongs there.
/** A sentence with file and line of the first value that gives away a secret; null where none does. */
export function secretLine(texts: ReadonlyMap<string, string>, holdsSecret: (text: string) => boolean): string | null {
  for (const [file, text] of texts) {
    const index = text.split('\n').findIndex((line) => holdsSecret(line.replace(/(?:^|\s)#.*/, '')));
    if (index >= 0)
      return `${file}:${index + 1}: The line holds a token or a key of the bot; name the file or variable that has it.`;
  }
  return null;
}
