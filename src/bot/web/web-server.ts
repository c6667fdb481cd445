// The page of one bot: its data as JSON, the metrics, and commands of signed-in people.
import { setTimeout } from 'node:timers/promises';
import { servePage } from './page-server.ts';
import { addStatusRoutes, type WebOptions } from './routes.ts';
import { addPageRoutes, PAGE_ASKS_MS, sharedStatus } from './shared-routes.ts';

export type WebServer = Awaited<ReturnType<typeof startWeb>>;

/** Throws `StartError`: 69 if the port is taken, 78 if the certificate is invalid. */
export async function startWeb(options: WebOptions) {
  const { steer, clock, log } = options;
  const shared = sharedStatus(options.status, { clock, scrub: log.scrub });
  const { url, port, close } = await servePage({
    ...options,
    index: 'index.html',
    addRoutes(app, signIn) {
      addPageRoutes(app, { shared, steer, signIn });
      addStatusRoutes(app, { options, shared, signIn });
    },
  });
  return {
    url,
    port,
    /** Something has changed: the next request gets a fresh status. */
    forget: shared.forget,
    /** Ends open connections, too; before that, open pages learn how the bot has ended. */
    async close(): Promise<void> {
      shared.forget();
      const asked = shared.askedAt();
      for (let waits = 0; waits < 4 && shared.isWatched() && shared.askedAt() === asked; waits += 1) {
        await setTimeout(PAGE_ASKS_MS);
      }
      await close();
    },
  };
}
