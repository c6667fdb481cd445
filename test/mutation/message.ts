// What a Jest process tells the command that started it.

/**
 * What of a source a test file did not run: `[from, to, ran]`, sorted; what no entry holds ran. The innermost one
 * counts.
 */
export type Stretch = readonly [from: number, to: number, ran: 0 | 1];

export type Message =
  | { readonly kind: 'started'; readonly test: string }
  | { readonly kind: 'ended'; readonly test: string; readonly ms: number; readonly failure: string | null }
  | {
      readonly kind: 'reached';
      readonly test: string;
      /** Every file of ours that was loaded. */
      readonly loaded: readonly string[];
      /** Sources of the program only. */
      readonly stretches: Readonly<Record<string, readonly Stretch[]>>;
    };

export const tell = (message: Message): void => {
  process.send?.(message);
};
