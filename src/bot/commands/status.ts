// `status`: what the running bot reports about itself.
import { z } from 'zod';
import { realClock } from '../../ports/clock.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import { isRearmAwaited } from '../dead-man/rearm.ts';
import { accountLine, accountNamed } from '../keys/account-named.ts';
import { proofUnderLatch, readKillLatch } from '../state-folder/kill-latch.ts';
import { ownOrdersFile, readOwnOrders } from '../state-folder/own-orders-file.ts';
import { silentHolder } from '../state-folder/running-bot.ts';
import { statusLines } from '../status/status-table.ts';
import { latchNext, latchWords } from '../status/status-words.ts';
import { askStatus, controlSocket, isReachable } from '../steer/control-socket.ts';
import { endedByItself, pastStatus, readLastStatus } from '../web/past-status.ts';
import { ACCOUNT_CONFIG_HELP, type CommandContext } from './configuration-argument.ts';
import { type BotMeant, botMeant } from './steer.ts';

export function addStatus({ program, io, finish }: CommandContext): void {
  program
    .command('status')
    .summary('show what the running bot does')
    .description(
      'Asks the bot that runs with this configuration what it does. If none runs, prints the last status that it ' +
        'kept; ends with 69 if none answers.',
    )
    .argument('[config...]', ACCOUNT_CONFIG_HELP)
    .option('--json', 'print JSON, as /api/status gives it')
    .addHelpText('after', '\nExample:\n  quotekeeper status config/paper.yaml')
    .action(async (files: string[], { json = false }: { json?: boolean }) => {
      const meant = await botMeant(files, { command: 'status', io });
      const { stateFolder, settings } = meant;
      // Anybody may hold the page's port; the socket is in a folder that only the bot's user can access.
      const address = controlSocket(stateFolder);
      const answer = await askStatus(stateFolder, json ? 'status' : 'status-lines');
      if (answer === null) {
        const holder = silentHolder({ stateFolder, files: meant.files, now: realClock.now() });
        const latched = latchedWhile(meant);
        const last = pastStatus(readLastStatus(stateFolder));
        // A bot that hangs is not gone; and what was proved since it was killed is said with the latch.
        if (last !== null && holder === null && (latched === null || endedByItself(last)))
          io.out(json ? JSON.stringify(last) : statusLines(last).join('\n'));
        throw noAnswer(address, [holder, latched]);
      }
      const shown = z.union([z.array(z.string()), z.looseObject({ headline: z.unknown() })]).safeParse(answer);
      if (!shown.success) throw unavailable(`${address} answered with something else than the status of a bot.`);
      const named = settings === null ? [] : [accountLine(accountNamed(settings))];
      io.out(Array.isArray(shown.data) ? [...named, ...shown.data].join('\n') : JSON.stringify(answer));
      finish(EXIT.done);
    });
}

function noAnswer(address: string, reasons: readonly (string | null)[]): StartError {
  if (!isReachable(address))
    return unavailable(`The path ${address} is too long for a socket: the page of the bot shows its status.`);
  const known = reasons.filter((each) => each !== null);
  const why = known.length === 0 ? ['Does it run with this configuration?'] : known;
  return unavailable([`No bot answers at ${address}.`, ...why].join(' '));
}

/** Why the bot may be gone, and how to get it back; null if no latch is set. */
function latchedWhile({ stateFolder, files, settings }: BotMeant): string | null {
  const latch = readKillLatch(stateFolder);
  if (latch === null) return null;
  const proof = readOwnOrders(ownOrdersFile(stateFolder)).orders.open.size > 0 ? null : proofUnderLatch(stateFolder);
  const next = latchNext(settings !== null && isRearmAwaited(settings), files);
  return [latchWords(latch), ...(proof === null ? [] : [proof]), next].join(' ');
}

const unavailable = (sentence: string): StartError => new StartError(EXIT.unavailable, sentence);
