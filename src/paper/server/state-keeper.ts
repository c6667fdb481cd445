// Stores the running exchange now and then, and once more when it stops.
import type { Logger } from 'pino';
import type { Clock } from '../../ports/clock.ts';
import { snapshot } from '../engine/snapshot.ts';
import type { ExchangeState } from '../state/state.ts';
import { PaperStateError } from './start.ts';
import { writeState } from './state-file.ts';

export interface StateKeeper {
  /** Stores the state as it is now; resolves when it is on the disk, or can't be. */
  store(): Promise<void>;
  /** Stores the state a last time; `clean` says that the exchange may go on from it. */
  close(clean: boolean): Promise<void>;
}

const LOOK_MS = 1_000;
/** A large state is stored more rarely, so that storing takes at most a twentieth of the time. */
const REST_PER_COST = 20;

/** Stores at once, so that an exchange that is killed later is known to have been; then whenever it changed. */
export async function keepState(
  current: () => ExchangeState,
  options: { readonly stateFile: string | null; readonly clock: Clock; readonly log: Logger },
): Promise<StateKeeper> {
  if (options.stateFile === null) return { store: async () => {}, close: async () => {} };
  const keeper = new FileKeeper(current, { ...options, stateFile: options.stateFile });
  await keeper.open();
  return keeper;
}

class FileKeeper implements StateKeeper {
  readonly #current: () => ExchangeState;
  readonly #options: { readonly stateFile: string; readonly clock: Clock; readonly log: Logger };
  #looking: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #busy = false;
  #stored = -1;
  #notBefore = 0;

  constructor(current: () => ExchangeState, options: { stateFile: string; clock: Clock; log: Logger }) {
    this.#current = current;
    this.#options = options;
  }

  async open(): Promise<void> {
    const { stateFile } = this.#options;
    await this.#store(false).catch(() => {
      throw new PaperStateError(`The state file ${stateFile} can't be written.`);
    });
    this.#looking = setInterval(() => this.#look(), LOOK_MS);
  }

  async close(clean: boolean): Promise<void> {
    clearInterval(this.#looking);
    await this.#writing;
    await this.#store(clean).catch(() => this.#complain());
  }

  store(): Promise<void> {
    // What is being written may be of before the last change, and two at once would write into one file.
    this.#writing = this.#writing
      .then(() => (this.#isStored() ? undefined : this.#store(false)))
      .catch(() => this.#complain());
    return this.#writing;
  }

  #isStored(): boolean {
    return this.#current().revision === this.#stored;
  }

  #look(): void {
    if (this.#busy || this.#isStored() || this.#options.clock.monotonic() < this.#notBefore) return;
    void this.store();
  }

  async #store(clean: boolean): Promise<void> {
    const { clock, stateFile } = this.#options;
    const state = this.#current();
    const { revision } = state;
    const startedAt = clock.monotonic();
    this.#busy = true;
    try {
      await writeState(stateFile, snapshot(state), clean);
      this.#stored = revision;
    } finally {
      this.#busy = false;
      const endedAt = clock.monotonic();
      this.#notBefore = endedAt + REST_PER_COST * (endedAt - startedAt);
    }
  }

  #complain(): void {
    this.#options.log.error(`The state file ${this.#options.stateFile} can't be written.`);
  }
}
