// The first words of a bot that runs: where to look, and how it ends.
import path from 'node:path';
import { stopBoundMs } from '../../trader/status/stop-bound.ts';
import { killBoundOf } from '../../watchdog/watch-settings.ts';
import type { CommandIo } from '../io/command-io.ts';
import { logFileOf } from '../io/open-bot-log.ts';
import { accountNamed } from '../keys/account-named.ts';
import type { Settings } from '../settings/types.ts';
import { duration } from '../status/status-words.ts';
import { type PageRole, pageTokenFile, readPageToken } from '../web/page-tokens.ts';
import type { RunningBot } from './start-bot.ts';

export function greet({ settings, web, paper, log }: RunningBot, io: CommandIo): void {
  const symbols = settings.trader.runs.map((run) => run.instrument.symbol).join(', ');
  const where = paper ? 'on a paper exchange: no real money' : `at ${settings.venue.baseUrl}: REAL MONEY`;
  const channels = (settings.notify?.channels ?? []).map(({ name, form, from }) => `${name} (${form}, from ${from})`);
  const lines = [
    `quotekeeper makes a market in ${symbols} ${where}.`,
    `  page      ${web.url}/`,
    `  sign-in   ${tokenFile(settings, 'steer')} to steer, ${path.basename(tokenFile(settings, 'read'))} to look`,
    `  metrics   ${web.url}/metrics`,
    ...(paper ? [`  exchange  ${paper.url}, ${paper.found ? 'which was running' : 'started'}`] : []),
    `  config    ${settings.files.map(shortPath).join(' ')}`,
    `  account   ${accountNamed(settings).account}`,
    `  log       ${shortPath(logFileOf(settings))}: every order`,
    `  watchdog  ${watchdogWords(settings)}`,
    ...(channels.length === 0 ? [] : [`  notify    ${channels.join(', ')}`]),
    '  stop      Ctrl-C cancels and verifies, ' +
      `${duration(boundOf(settings))} at most while the exchange answers; again: at once`,
  ];
  log.logEvent({ op: 'started', message: lines.join(' ').replace(/\s+/g, ' '), ...accountNamed(settings) });
  if (io.isTerminal) io.out(`\n${[...lines, ...tokenLines(settings, web.newTokens)].join('\n')}\n`);
}

const tokenFile = ({ stateFolder }: Settings, role: PageRole): string => shortPath(pageTokenFile(stateFolder, role));

/** Once, on the terminal of the start that made it, and nowhere else: a log is read by others, and kept. */
function tokenLines({ stateFolder }: Settings, made: readonly PageRole[]): readonly string[] {
  if (!made.includes('steer')) return [];
  const read = readPageToken(stateFolder, 'steer');
  if (!('token' in read)) return [];
  return [`  token     ${read.token}`, '            signs you in at the page, to steer; shown only once'];
}

/** How soon a watchdog has the bot's orders off the exchange when it falls silent. */
function watchdogWords(settings: Settings): string {
  const { clearedMs, provedMs } = killBoundOf(settings);
  const need = settings.watchdog.mode === 'required' ? 'required' : 'not required';
  return `${need}; with one a silent bot is flat within ${duration(clearedMs)}, proved in ${duration(provedMs)}`;
}

const boundOf = ({ trader, venue }: Settings): number => stopBoundMs({ trader, deadlineMs: venue.timeoutMs });

export function shortPath(file: string): string {
  const relative = path.relative(process.cwd(), file);
  return relative.startsWith('..') ? file : relative;
}
