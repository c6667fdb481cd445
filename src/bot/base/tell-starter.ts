// A word to pm2, or whoever else started this process with a channel to it.

/**
 * Without the callback Node takes a channel that is closed (pm2 was killed, the program goes on) for an error that
 * nobody caught.
 */
export function tellStarter(word: string): void {
  process.send?.(word, undefined, undefined, () => undefined);
}
