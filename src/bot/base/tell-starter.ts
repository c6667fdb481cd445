// Sends a word to pm2, or whichever process started this one with an IPC channel.

/**
 * Without the callback, Node throws an uncaught error when the channel is closed (pm2 was killed, the program goes on).
 */
export function tellStarter(word: string): void {
  process.send?.(word, undefined, undefined, () => undefined);
}
