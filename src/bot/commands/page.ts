// `page`: shows the page of a bot that has ended, from its state folder. It can't control anything.
import { timeText } from '../../domain/time-text.ts';
import { realClock } from '../../ports/clock.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import { logSignalsTo, stopSignal } from '../base/signals.ts';
import { datesOf } from '../books/local-time.ts';
import type { HistorySource } from '../memory/history.ts';
import type { Settings } from '../settings/types.ts';
import type { BotStatus } from '../status/bot-status.ts';
import { type PageRole, pageTokenFile, readPageToken, renewPageToken } from '../web/page-tokens.ts';
import {
  ACCOUNT_CONFIG_HELP,
  accountSettingsOf,
  CONFIG_HELP,
  type CommandContext,
  settingsOf,
} from './configuration-argument.ts';

export function addPage({ program, io, finish }: CommandContext): void {
  program
    .command('page')
    .summary('show the page of a bot that has ended, as it was at the end')
    .description(
      'Serves the page where the running bot has it, from the last status in its state folder; nothing is asked of ' +
        'the exchange, and nothing can be steered. Ctrl-C ends it; a bot that starts wants the port for itself.',
    )
    .argument('[config...]', CONFIG_HELP)
    .addHelpText('after', '\nExample:\n  quotekeeper page config/live.yaml')
    .action(async (files: string[]) => {
      const stopping = stopSignal(EXIT.endedAtOnce);
      const settings = await settingsOf(files);
      const { stateFolder, web } = settings;
      const status = await keptStatus(stateFolder);
      const { createLog } = await import('../base/log.ts');
      const log = createLog({ level: 'warn' }, { stream: process.stderr, isTerminal: process.stderr.isTTY === true });
      logSignalsTo(log);
      const { startWeb } = await import('../web/web-server.ts');
      const { url, close } = await startWeb({
        ...{ web, stateFolder, log, clock: realClock, status: () => status },
        ...{ parameters: () => [], orderLife: () => null, trades: null, steer: null, metrics: null },
        dates: datesOf(settings.statement),
        past: await pastOf(settings),
        ...{ ready: () => false, healthy: () => false },
      });
      const { endedByItself } = await import('../web/past-status.ts');
      const word = endedByItself(status) ? 'STOPPED' : 'GONE without an end of its own';
      io.out(`${word}, as of ${timeText(status.trader.at)}: ${url}/`);
      await stopping;
      await close();
      await log.close();
      finish(EXIT.done);
    });
}

/** The recorded history; null if there is none or it can't be read. */
async function pastOf({ stateFolder, trader }: Settings): Promise<HistorySource | null> {
  const { memoryPath } = await import('../memory/memory-file.ts');
  const { readMemory } = await import('../memory/read-memory.ts');
  try {
    const memory = readMemory(memoryPath(stateFolder));
    if (memory === null) return null;
    const symbols = trader.runs.map(({ instrument }) => instrument.symbol);
    return { symbols: () => symbols, history: memory.history, profitBefore: memory.profitBefore };
  } catch {
    return null;
  }
}

/** Throws `StartError`: 73 while a bot holds the folder, 69 if no status was saved. */
async function keptStatus(stateFolder: string): Promise<BotStatus> {
  const { isFolderHeld } = await import('../state-folder/state-folder.ts');
  if (isFolderHeld(stateFolder))
    throw new StartError(EXIT.stateUnusable, `A bot has ${stateFolder}: its own page shows it as it is now.`);
  const { pastStatus, readLastStatus } = await import('../web/past-status.ts');
  const past = pastStatus(readLastStatus(stateFolder));
  if (past !== null) return past;
  const sentence = `No last status is in ${stateFolder}, or none of this version: it is kept by a bot that has run.`;
  throw new StartError(EXIT.unavailable, sentence);
}

// `page-token`: shows the token with which a person signs in to the page, or makes a new one.

export function addPageToken({ program, io, finish }: CommandContext): void {
  program
    .command('page-token')
    .summary('show the token that signs you in at the page, or make a new one')
    .description(
      'Prints the token to steer, and nothing else, for a person or a password manager; with --read the one to look, ' +
        'which is also what Prometheus sends. The first start makes both. A file with `accounts` and no name ' +
        'behind it means the page of all of them.',
    )
    .argument('[config...]', ACCOUNT_CONFIG_HELP)
    .option('--read', 'the token that only looks')
    .option('--renew', 'make a new one first: every session that began with the old one ends')
    .addHelpText('after', '\nExample:\n  quotekeeper page-token config/paper.yaml --renew')
    .action(async (files: string[], { read = false, renew = false }: { read?: boolean; renew?: boolean }) => {
      const { filesByAccount, loadFleetPage } = await import('../settings/settings.ts');
      const isOfAll = filesByAccount(files).some((each) => each.files !== files);
      const { stateFolder } = isOfAll
        ? loadFleetPage(files)
        : await accountSettingsOf(files, { command: 'page-token', io });
      const role: PageRole = read ? 'read' : 'steer';
      if (renew) renewPageToken(stateFolder, role);
      const found = readPageToken(stateFolder, role);
      if ('why' in found) throw new StartError(EXIT.stateUnusable, `${found.why} ${remedyFor(stateFolder, role)}`);
      io.out(found.token);
      finish(EXIT.done);
    });
}

const remedyFor = (stateFolder: string, role: PageRole): string =>
  `\`page-token --renew${role === 'read' ? ' --read' : ''}\` makes a new ${pageTokenFile(stateFolder, role)}.`;
