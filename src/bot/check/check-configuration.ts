// `check`: what keeps `run` from starting, what the configuration means, and whether the exchange agrees.
import path from 'node:path';
import type { Side } from '../../domain/order.ts';
import { portRefusal } from '../../paper/server/connections.ts';
import { CONTROL_HOST, controlPlace } from '../../paper/server/control.ts';
import { EXIT, type ExitCode, refusalOf, StartError } from '../base/exit-codes.ts';
import { whyNotFree } from '../base/usable-paths.ts';
import type { CommandIo } from '../io/command-io.ts';
import { type ApiKeys, type Environment, paperKeyFiles, paperKeys, readKeys } from '../keys/keys.ts';
import { openVenueSession } from '../keys/venue-session.ts';
import { findPaperProcess } from '../paper/paper-process.ts';
import { recordingsOf, warningsOf } from '../paper/recordings.ts';
import { startRefusals } from '../run/start-checks.ts';
import { takesCommands } from '../settings/checks/notify-checks.ts';
import { placeholderLines } from '../settings/located.ts';
import type { PaperExchangeSettings, Settings } from '../settings/types.ts';
import { type PlannedOrders, plannedOrders, roomSentence } from '../show/planned-orders.ts';
import { meaningLines, meaningOf } from '../show/settings-meaning.ts';
import { readConfigurationNote } from '../state-folder/configuration-note.ts';
import { assertRestoreFinished } from '../state-folder/restored-mark.ts';
import { assertNotHeld } from '../state-folder/state-folder.ts';
import { lagMeaning } from '../status/lag-meaning.ts';
import { journalFindings } from './check-journal.ts';
import { checkVenue, type Finding, good, note, wrong } from './check-venue.ts';

interface Wanted {
  readonly offline: boolean;
  readonly json: boolean;
}

export async function checkConfiguration(settings: Settings, io: CommandIo, wanted: Wanted): Promise<ExitCode> {
  const start = await checkStart(settings, wanted.offline ? null : io.environment);
  const ofVenue = await venueFindings(settings, io, wanted.offline);
  const findings = [...start.notes, ...ofVenue];
  const meaning = { ...meaningOf(settings), readLags: lagMeaning(settings) };
  const refused = start.refusals.map(({ message }) => wrong('start', message));
  if (wanted.json) io.out(JSON.stringify({ ...meaning, findings: [...refused, ...findings] }, null, 2));
  else
    io.out(
      [
        ...meaningLines(meaning),
        ...meaning.readLags.sentences,
        ...(findings.length === 0 ? [] : ['', ...findingLines(findings)]),
      ].join('\n'),
    );
  // In the words of `run`, and also on standard error.
  for (const { message } of start.refusals) io.err(message);
  return codeOf(ofVenue) || (start.refusals[0]?.code ?? EXIT.done);
}

async function venueFindings(settings: Settings, io: CommandIo, offline: boolean): Promise<readonly Finding[]> {
  if (offline) return [];
  if (placeholderLines(settings.texts).length > 0)
    return [note('exchange', 'Not asked: a placeholder stands in the configuration.')];
  if (settings.mode === 'paper' && (await findPaperProcess(settings)) === null)
    return [note('exchange', 'The paper exchange does not run; `run` starts it.')];
  const keys = keysOrNull(settings, io.environment);
  if (keys === null) return [];
  const findings = await checkVenue(settings, keys);
  if (findings.some(({ verdict }) => verdict === 'wrong')) return findings;
  return [...findings, ...(await planFindings(settings, keys))];
}

/** `null` for unreadable keys: the refusals above have already reported them. */
function keysOrNull({ keys, stateFolder }: Settings, environment: Environment): ApiKeys | null {
  try {
    return keys === null ? paperKeys(stateFolder) : readKeys(keys, environment);
  } catch (error) {
    if (error instanceof StartError) return null;
    throw error;
  }
}

function findingLines(findings: readonly Finding[]): string[] {
  const mark = { good: 'ok   ', note: 'note ', wrong: 'WRONG' };
  const width = Math.max(0, ...findings.map(({ what }) => what.length));
  return findings.map(({ what, verdict, detail }) => `${mark[verdict]} ${what.padEnd(width)}  ${detail}`);
}

function codeOf(findings: readonly Finding[]): ExitCode {
  const [first] = findings;
  if (first?.what === 'exchange' && first.verdict === 'wrong') return EXIT.unavailable;
  return findings.some(({ verdict }) => verdict === 'wrong') ? EXIT.configurationInvalid : EXIT.done;
}

// Whether `run` would start here and now: goes through its own list of obstacles without taking any lock or port.

/** Throws `StartError` (69). Port 0 means any free one. */
async function assertExchangePortsFree({ host, port, control }: PaperExchangeSettings): Promise<void> {
  const code = await whyNotFree({ host, port });
  if (code !== null) throw new StartError(EXIT.unavailable, portRefusal({ host, port }, code).message);
  if (control === undefined) return;
  const controlCode = await whyNotFree({ host: CONTROL_HOST, port: control.port });
  if (controlCode === null) return;
  throw new StartError(EXIT.unavailable, portRefusal(controlPlace(control.port), controlCode).message);
}

/** Whether the bot that holds the folder was started with the files under check: then it is not another bot. */
function runsWithThese({ stateFolder, files }: Settings): boolean {
  const running = readConfigurationNote(stateFolder)?.files ?? [];
  return running.join('\n') === files.map((file) => path.resolve(file)).join('\n');
}

/**
 * `refusals`: the sentences and codes with which `run` would end. `environment` is `null` offline: skips keys and
 * ports.
 */
export async function checkStart(settings: Settings, environment: Environment | null) {
  const { stateFolder, paper } = settings;
  const held = await refusalOf(() => assertNotHeld(stateFolder));
  const claim = (): void => {
    if (held !== null) throw held;
    assertRestoreFinished(stateFolder);
  };
  const isItself = held !== null && runsWithThese(settings);
  const refusals = (await startRefusals(settings, { environment, claim })).filter((each) => !isItself || each !== held);
  const notes: Finding[] = isItself ? [note('start', `It runs already. ${held.message}`)] : [];
  const steps = [
    // The ports belong to the paper exchange, which `run` starts only if none is running.
    async () => {
      if (environment !== null && paper !== null && (await findPaperProcess(settings)) === null)
        await assertExchangePortsFree(paper);
    },
    () => void (environment !== null && notes.push(...journalFindings(settings, environment))),
    async () => {
      notes.push(...warningsOf(await recordingsOf(settings)).map((words) => note('recording', words)));
    },
    ...paperKeyFiles(settings).map((file) => () => readKeys({ kind: 'file', path: file }, {})),
  ];
  for (const step of steps) {
    const refusal = await refusalOf(step);
    if (refusal !== null) refusals.push(refusal);
  }
  if (settings.notify !== null && settings.watchdog.mode === 'off')
    notes.push(note('notify', 'Without a watchdog nobody is notified when the bot is gone (watchdog.mode: required).'));
  for (const { name, chatId } of settings.notify?.channels.filter(takesCommands) ?? []) {
    const who = `Everyone in Telegram chat ${chatId} (channel ${name})`;
    notes.push(note('notify', `${who} can pause, resume, stop and latch the bot: docs/notifications.md.`));
  }
  if (environment === null && settings.keys !== null) notes.push(note('keys', 'They were not looked at.'));
  return { refusals, notes };
}

// Findings about the orders that `run` would place now: sides blocked by limits, balance or settings.

const NAMES: Readonly<Record<Side, string>> = { buy: 'bid', sell: 'ask' };

async function planFindings(settings: Settings, keys: ApiKeys): Promise<readonly Finding[]> {
  const session = openVenueSession(settings, keys);
  const { bySymbol } = await plannedOrders(settings, session).finally(() => session.close());
  return [...bySymbol].flatMap(([symbol, planned]) => [
    ...findingsOf(symbol, planned),
    ...roomFinding(symbol, planned.moves),
  ]);
}

/** How much quoting time the limits cost at the assumed lag bound. */
function roomFinding(symbol: string, { room, ...market }: PlannedOrders['moves']): readonly Finding[] {
  if (room === null) return [];
  const finding = room.expected > room.moves ? note : good;
  return [finding(`moves of ${symbol}`, roomSentence(room, market))];
}

function findingsOf(symbol: string, planned: PlannedOrders): readonly Finding[] {
  const { quotes, decision } = planned;
  const what = `quotes of ${symbol}`;
  if (decision.result === null) return [note(what, `None now: ${decision.reason ?? 'not everything could be read.'}`)];
  const without = (['buy', 'sell'] as const).filter((side) => !quotes.some((quote) => quote.side === side));
  if (without.length === 0) return [good(what, `${quotes.length} would be placed now; \`plan\` shows them.`)];
  return without.map((side) => note(what, `No ${NAMES[side]} now: ${whyNone(side, planned)}`));
}

function whyNone(side: Side, { decision, refused }: PlannedOrders): string {
  const [first] = refused.filter(({ slot }) => slot.startsWith(`${side}:`));
  if (first !== undefined) return `${first.message} (${first.code})`;
  return decision.result?.noQuote[side] ?? 'the strategy wants none.';
}
