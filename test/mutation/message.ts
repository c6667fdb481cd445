// What a Jest process tells the command that started it.

import type { Stretch } from '../../simulation/mutation/stretches.ts';

export type Message =
  | { readonly kind: 'started'; readonly test: string }
  | { readonly kind: 'ended'; readonly test: string; readonly ms: number; readonly failure: string | null }
  | {
      readonly kind: 'reached';
      readonly test: string;
      /** Every file of ours that was loaded. */
      readonly loaded: readonly string[];
      /** Sources of the program only; what no stretch holds ran. */
      readonly stretches: Readonly<Record<string, readonly Stretch[]>>;
    };

export const tell = (message: Message): void => {
  process.send?.(message);
};
