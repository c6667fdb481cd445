// A running bot's log lines: its money, status, days and end.
import path from 'node:path';
import { decimal } from '../../domain/decimal.ts';
import type { DurationMs } from '../../domain/time.ts';
import { contactWords } from '../../trader/contact/responsive.ts';
import { stopBoundMs } from '../../trader/observe/stopping.ts';
import { countedMs, shareSince, type TimeShares } from '../../trader/presence/presence.ts';
import type { StatusSnapshot } from '../../trader/status/snapshot.ts';
import { killBoundOf } from '../../watchdog/watch-settings.ts';
import { EXIT, EXIT_SENTENCES, type ExitCode } from '../base/exit-codes.ts';
import type { Log } from '../base/log.ts';
import { duration } from '../base/message.ts';
import type { CommandIo } from '../io/command-io.ts';
import { logFileOf } from '../io/open-bot-log.ts';
import { accountNamed } from '../keys/account-named.ts';
import type { Settings } from '../settings/types.ts';
import type { BotStatus } from '../status/bot-status.ts';
import { stopTakes } from '../status/headline.ts';
import { moneyTable, quoteInMoney } from '../status/quote-money.ts';
import {
  openLines,
  presenceSentence,
  profitLine,
  restingLines,
  summaryLines,
  symbolLine,
  walletLine,
} from '../status/status-words.ts';
import { type PageRole, pageTokenFile, readPageToken } from '../web/page-tokens.ts';
import type { RunningBot } from './start-bot.ts';

/** Once per quoted symbol: its quotes in money. */
export function tellMoney({ status, log, trading }: RunningBot, told: Set<string>): void {
  for (const { symbol, base, quote, wanted, referencePrice } of status().trader.symbols) {
    const run = trading.loop.state().markets.get(symbol)?.run;
    if (told.has(symbol) || wanted.length === 0 || referencePrice === null || run === undefined) continue;
    told.add(symbol);
    const place = { reference: decimal(referencePrice), costs: run.costs, instrument: run.instrument };
    const quotes = wanted.map(({ side, level, price, quantity }) =>
      quoteInMoney({ side, level, price: decimal(price), quantity: decimal(quantity) }, place),
    );
    const table = moneyTable(quotes, { base, quote }, 'narrow');
    for (const message of table) log.logEvent({ op: 'money', symbol, message });
  }
}

export function tellStatus({ status, log }: RunningBot, op: 'status' | 'day-ended'): void {
  const { trader, headline } = status();
  // When all is well, the quotes below say it.
  if (headline.tone === 'stop') log.logEvent({ op, level: 'warn', message: `${headline.word}: ${headline.sentence}` });
  for (const view of trader.symbols) {
    log.logEvent({ op, symbol: view.symbol, message: symbolLine(view, trader) });
    if (op === 'day-ended') log.logEvent({ op, symbol: view.symbol, message: profitLine(view) });
  }
  log.logEvent({ op, message: walletLine(trader) });
}

const openOrders = ({ trader }: BotStatus): number =>
  trader.symbols.reduce((sum, view) => sum + openLines(view, trader.unmatchedOrders).length, 0) +
  trader.unmatchedOrders.filter(({ mayBeOurs }) => mayBeOurs).length;

/** Null if the bug that ends the bot also breaks its status, which calls the strategy. */
function statusOrNull(status: () => BotStatus): BotStatus | null {
  try {
    return status();
  } catch {
    return null;
  }
}

export function summarize({ settings, status, log }: RunningBot, code: ExitCode, io: CommandIo): void {
  const shown = statusOrNull(status);
  if (shown === null) {
    const message = `Stopped. ${EXIT_SENTENCES[code]} The bot’s holdings cannot be shown.`;
    return log.logEvent({ op: 'summary', level: 'error', message });
  }
  const { trader, startedAt } = shown;
  const requests = trader.requests.reduce((sum, each) => sum + each.count, 0);
  const open = openOrders(shown);
  const left = open === 0 ? '' : ` Own orders that may be open: ${open}.`;
  const paragraphs = [
    [`Stopped after ${duration(trader.at - startedAt)}. ${EXIT_SENTENCES[code]}${left}`],
    ...trader.symbols.flatMap((view) => openLines(view, trader.unmatchedOrders)).map((line) => [line]),
    ...restingLines(trader).map((line) => [line]),
    ...trader.symbols.map(summaryLines),
    [walletLine(trader)],
    [`${requests} requests. The log is ${shortPath(logFileOf(settings))}.`],
  ];
  for (const [index, lines] of paragraphs.entries()) {
    // Nobody might learn of it otherwise.
    const level = index === 0 && code === EXIT.unknownRemains ? 'error' : 'info';
    const rows = index === 0 && { unmatched: trader.unmatchedOrders.map((order) => ({ ...order })) };
    log.logEvent({ op: 'summary', level, message: lines.map((line) => line.trim()).join('; '), ...rows });
  }
  const [head = [], ...rest] = paragraphs;
  if (io.isTerminal) io.out(['', ...head, ...rest.flat().map((line) => `  ${line}`)].join('\n'));
}

export function tellRenewed({ log }: RunningBot, boundMs: number): void {
  const message = `The exchange answers again: to cancel and verify takes ${duration(boundMs)} at most from now on.`;
  log.logEvent({ op: 'stopping', message });
}

export function tellStopping({ status, log }: RunningBot, leftMs: DurationMs): void {
  const open = `own orders that may still be open: ${openOrders(status())}.`;
  const { lanes } = status().trader.contact;
  const then =
    lanes.private === 'answers'
      ? stopTakes(leftMs)
      : `${contactWords(lanes)}: they are canceled as soon as it takes requests; a second signal ends at once.`;
  log.logEvent({ op: 'stopping', message: `Stopping: ${open} ${then}` });
}

export interface Watched {
  readonly status: () => { readonly trader: Pick<StatusSnapshot, 'symbols'> };
  readonly log: Pick<Log, 'logEvent'>;
}

/**
 * Time in the market since the previous line. Call once a day; the first call covers the time since the process
 * started.
 */
export function dailyPresence({ status, log }: Watched): () => void {
  const told = new Map<string, TimeShares>();
  return () => {
    for (const { symbol, presence } of status().trader.symbols) {
      const { sinceStart: now } = presence;
      const before = told.get(symbol) ?? null;
      told.set(symbol, now);
      const since = between(before, now);
      const span = `${duration(countedMs(since.both))} since ${before === null ? 'the start' : 'the last summary'}`;
      log.logEvent({ op: 'day-ended', symbol, message: `${symbol}: ${presenceSentence(since, span)}` });
    }
  };
}

const between = (before: TimeShares | null, now: TimeShares): TimeShares => ({
  buy: shareSince(before?.buy ?? null, now.buy),
  sell: shareSince(before?.sell ?? null, now.sell),
  both: shareSince(before?.both ?? null, now.both),
});

// The first words of a running bot: where to look, and how to end it.

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

/** Once, on the terminal of the start that made it, and nowhere else: logs are read by others, and kept. */
function tokenLines({ stateFolder }: Settings, made: readonly PageRole[]): readonly string[] {
  if (!made.includes('steer')) return [];
  const read = readPageToken(stateFolder, 'steer');
  if (!('token' in read)) return [];
  return [`  token     ${read.token}`, '            signs you in at the page, to steer; shown only once'];
}

/** How soon a watchdog cancels the bot's orders after it falls silent. */
function watchdogWords(settings: Settings): string {
  const { clearedMs, provedMs } = killBoundOf(settings);
  const need = settings.watchdog.mode === 'required' ? 'required' : 'not required';
  return `${need}; with one a silent bot is flat within ${duration(clearedMs)}, proved in ${duration(provedMs)}`;
}

const boundOf = ({ trader, venue }: Settings): number => stopBoundMs({ trader, deadlineMs: venue.timeoutMs });

function shortPath(file: string): string {
  const relative = path.relative(process.cwd(), file);
  return relative.startsWith('..') ? file : relative;
}
