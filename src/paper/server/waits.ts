// Waiting that ends when the server does: what is held back then never arrives.
import type { DurationMs } from '../../domain/time.ts';

interface Wait {
  readonly timer: NodeJS.Timeout;
  readonly end: (isOver: boolean) => void;
}

export class Waits {
  readonly #open = new Set<Wait>();
  #closed = false;

  /** `true` after `ms`; `false` as soon as the server closes, and at once when it has. */
  wait(ms: DurationMs): Promise<boolean> {
    if (this.#closed) return Promise.resolve(false);
    if (ms <= 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = (isOver: boolean): void => {
        clearTimeout(wait.timer);
        this.#open.delete(wait);
        resolve(isOver);
      };
      const wait: Wait = { timer: setTimeout(() => end(true), ms), end };
      this.#open.add(wait);
    });
  }

  close(): void {
    this.#closed = true;
    for (const { end } of this.#open) end(false);
  }
}
