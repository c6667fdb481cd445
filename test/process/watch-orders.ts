// Looks at the exchange all the time while a test goes on.
import { type Project, pause, type Truth } from './bot-process.ts';

const SAMPLE_EVERY_MS = 25;

/** How many orders of the account stand at most on one side of one market. */
function mostOnASide({ orders }: Truth): number {
  const counts = new Map<string, number>();
  for (const { symbol, side } of orders) counts.set(`${symbol} ${side}`, (counts.get(`${symbol} ${side}`) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}

export interface OrderWatch {
  /** The most orders on a side that were ever seen. */
  readonly most: number;
  stop(): Promise<void>;
}

export function watchOrders(project: Project): OrderWatch {
  let running = true;
  let most = 0;
  const watching = (async () => {
    while (running) {
      most = Math.max(most, await project.truth().then(mostOnASide, () => 0));
      await pause(SAMPLE_EVERY_MS);
    }
  })();
  return {
    get most() {
      return most;
    },
    stop: () => {
      running = false;
      return watching;
    },
  };
}
