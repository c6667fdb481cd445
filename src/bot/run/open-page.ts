// The page of a running bot: opens before anything moves money, and gets the data and controls later.
import type { Trading } from '../../loop/start-trading.ts';
import { realClock } from '../../ports/clock.ts';
import type { Log } from '../base/log.ts';
import { systemCode } from '../base/system-error.ts';
import { datesOf } from '../books/local-time.ts';
import type { Settings } from '../settings/types.ts';
import type { BotJournal } from '../state-folder/bot-journal.ts';
import { answerCommand } from '../steer/control-socket.ts';
import type { Steering } from '../steer/steering.ts';
import { orderLives } from '../web/order-lives.ts';
import { makePageTokens } from '../web/page-tokens.ts';
import { writeLastStatus } from '../web/past-status.ts';
import type { WebOptions } from '../web/routes.ts';
import { runningParameters } from '../web/running-parameters.ts';
import { startWeb } from '../web/web-server.ts';

const KEEP_EVERY_MS = 60_000;

export interface PageParts extends Pick<WebOptions, 'status' | 'healthy' | 'metrics' | 'past'> {
  readonly settings: Settings;
  readonly log: Log;
  readonly storage: Pick<BotJournal, 'trades'>;
}

export type BotPage = Awaited<ReturnType<typeof openPage>>;

/** Throws `StartError`. */
export async function openPage({ settings, log, storage, ...shown }: PageParts) {
  const { web: options, stateFolder } = settings;
  const newTokens = makePageTokens(stateFolder);
  const lives = orderLives();
  let begun: { readonly trading: Trading; readonly steering: Steering } | null = null;
  let keeping: ReturnType<typeof setInterval> | undefined;
  const web = await startWeb({
    ...shown,
    ...{ web: options, stateFolder, log, clock: realClock },
    ...{ trades: storage.trades, dates: datesOf(settings.statement) },
    ready: () => begun?.trading.loop.state().phase === 'running',
    parameters: () => runningParameters(begun?.trading.loop.state() ?? null),
    orderLife: lives.of,
    steer: (command) =>
      begun === null ? { refused: 'The bot is starting: try again.' } : answerCommand(command, begun.steering),
  });
  const keep = (): void => keepStatus(stateFolder, shown.status, log);
  return {
    ...web,
    /** Tokens that this start made. */
    newTokens,
    /** Receives the records about orders. */
    wrote: lives.take,
    /** Trading has begun: shows and controls it from here on, and saves the last status. */
    begin(trading: Trading, steering: Steering): void {
      begun = { trading, steering };
      // Saves at once: a bot killed within the first minute must not look like the one before, which may have ended by
      // itself.
      keep();
      keeping = setInterval(keep, KEEP_EVERY_MS);
      keeping.unref();
    },
    async close(): Promise<void> {
      clearInterval(keeping);
      if (begun !== null) keep();
      await web.close();
    },
  };
}

/** The saved status serves only after the bot has ended: a failure here is logged, and no more. */
function keepStatus(stateFolder: string, status: PageParts['status'], log: Log): void {
  try {
    writeLastStatus(stateFolder, log.scrub(JSON.stringify(status())));
  } catch (error) {
    const message = `The last status can't be kept (${systemCode(error)}): \`quotekeeper page\` shows an older one.`;
    log.logEvent({ op: 'state-folder', level: 'warn', message });
  }
}
