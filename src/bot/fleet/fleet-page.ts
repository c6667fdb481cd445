// The page of all accounts: what `fleet status` shows, and the commands of signed-in people.
import { z } from 'zod';
import { JournalError } from '../../journal/chain.ts';
import { realClock } from '../../ports/clock.ts';
import { StartError } from '../base/exit-codes.ts';
import type { Log } from '../base/log.ts';
import type { SteerAnswer, SteerCommand, SteerRequest } from '../steer/command.ts';
import { answerCommand } from '../steer/control-socket.ts';
import { givesSecretAway, SECRET_TYPED, tell } from '../steer/steering.ts';
import { type ServedPage, servePage } from '../web/page-server.ts';
import { addPageRoutes, sharedStatus } from '../web/shared-routes.ts';
import { type AccountView, type Fleet, lookAt, type Meant, steeredLines, steerFleet } from './fleet-control.ts';

export interface FleetNews {
  readonly timeZone: string;
  readonly accounts: readonly AccountView[];
  /** What is reserved of each resource. */
  readonly shares: Readonly<Record<string, string>>;
  /** Why there is no news of the accounts; null if there is. */
  readonly failure: string | null;
}

/** Throws `StartError`: 69 if the port is taken, 78 if the certificate is invalid. */
export function startFleetPage(fleet: Fleet, parts: Pick<ServedPage, 'web' | 'stateFolder' | 'log'>) {
  const { log } = parts;
  const shared = sharedStatus(() => newsOf(fleet), { clock: realClock, scrub: log.scrub });
  const steer = async (body: unknown): Promise<SteerAnswer> => {
    const answer = await steered(fleet, body, log);
    shared.forget();
    return answer;
  };
  return servePage({
    ...{ ...parts, clock: realClock, index: 'fleet.html' },
    addRoutes: (app, signIn) => addPageRoutes(app, { shared, steer, signIn }),
  });
}

function newsOf(fleet: Fleet): FleetNews {
  const { timeZone } = fleet.settings.statement;
  try {
    const shares = Object.fromEntries(fleet.database.shares());
    return { timeZone, accounts: lookAt(fleet), shares, failure: null };
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return { timeZone, accounts: [], shares: {}, failure: error.message };
  }
}

const meantSchema = z.looseObject({ account: z.string().nullable() });

/** A command with the account that it means, or null for all. */
async function steered(fleet: Fleet, body: unknown, log: Log): Promise<SteerAnswer> {
  const read = meantSchema.safeParse(body);
  if (!read.success) return { refused: "The command can't be read: account: a name or null was expected." };
  const { account, ...command } = read.data;
  return answerCommand(command, {
    async perform(asked) {
      const request = requestOf(asked);
      if (request === null) return { refused: `A fleet takes no ${asked.command}: use the page of the bot.` };
      if (givesSecretAway({ log, holdsSecret: log.holdsSecret }, asked)) return { refused: SECRET_TYPED };
      const answer = await answerOf(fleet, { request, account });
      tell(log, asked, answer);
      return answer;
    },
  });
}

/** Null for what only a bot's own page can ask. A resume lifts no halt, since this page shows none. */
function requestOf(command: SteerCommand): SteerRequest | null {
  if (command.command === 'set' || command.command === 'reload') return null;
  return command.command === 'resume' ? { ...command, price: null, halt: null } : command;
}

/** Who did not answer or was not asked comes first. */
async function answerOf(fleet: Fleet, meant: Meant): Promise<SteerAnswer> {
  try {
    const { answers, missing } = steeredLines(await steerFleet(fleet, meant), meant.request);
    return { done: [...missing, ...answers] };
  } catch (error) {
    if (error instanceof StartError) return { refused: error.message };
    if (!(error instanceof JournalError)) throw error;
    return { refused: `${error.message} It is not known which bots have taken the command.` };
  }
}
