// Finds the bot for a command without a configuration: the only one that is running. Never guesses.
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { EpochMs } from '../../domain/time.ts';
import type { Lease } from '../../ports/lease.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import { stateOf } from '../base/process-identity.ts';
import { readConfigurationNote } from './configuration-note.ts';
import { leaseFile, readLease } from './lease-file.ts';
import { isFolderHeld, journalPath } from './state-folder.ts';

export interface FoundBot {
  readonly stateFolder: string;
  /** Absolute paths; null if the folder does not say. */
  readonly files: readonly string[] | null;
  readonly isRunning: boolean;
}

/** The bots of the state folders in `root`/state; leaves out folders that never had one. */
function findBots(roots: readonly string[]): readonly FoundBot[] {
  const folders = new Set(roots.flatMap((root) => foldersIn(path.join(root, 'state'))));
  return [...folders].flatMap(lookAt);
}

/** For advice to a person: decides nothing. */
interface Asked {
  /** Includes the words before the file names, as in `pause --config`. */
  readonly command: string;
  /** Value of QUOTEKEEPER_CONFIG: only for pm2's file, because an account is never chosen silently. */
  readonly pm2Configuration?: string | undefined;
}

/** The running bot. Throws `StartError` (64) if there is none, or more than one. */
export function onlyRunningBot(roots: readonly string[], asked: Asked): FoundBot & { files: readonly string[] } {
  const bots = findBots(roots);
  const [only, ...others] = bots.filter(({ isRunning }) => isRunning);
  if (others.length === 0 && only?.files) return { ...only, files: only.files };
  throw new StartError(EXIT.usage, refusal(roots, bots, asked));
}

/**
 * The running bot that was started with these files, or the only one if none is named; null if there is not exactly
 * one. For commands that need no configuration, only the bot's place.
 */
export function runningBotOf(roots: readonly string[], files: readonly string[]): FoundBot | null {
  const asked = files.map((file) => path.resolve(file)).join('\n');
  const running = findBots(roots).filter(({ isRunning }) => isRunning);
  const [only = null, ...others] = running.filter((bot) => files.length === 0 || bot.files?.join('\n') === asked);
  return others.length === 0 ? only : null;
}

function foldersIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map(({ name }) => realpathSync(path.join(folder, name)));
  } catch {
    return [];
  }
}

function lookAt(stateFolder: string): FoundBot[] {
  const note = readConfigurationNote(stateFolder);
  if (note === null && !existsSync(journalPath(stateFolder))) return [];
  const isRunning = (note !== null && stateOf(note.process) === 'running') || isFolderHeld(stateFolder);
  return [{ stateFolder, files: note?.files ?? null, isRunning }];
}

function refusal(roots: readonly string[], bots: readonly FoundBot[], { command, pm2Configuration }: Asked): string {
  const count = bots.filter(({ isRunning }) => isRunning).length;
  const running =
    count === 0 ? 'no bot runs' : count === 1 ? 'the bot that runs does not say which' : `${count} bots run`;
  const looked = roots.map((root) => path.join(root, 'state')).join(' and ');
  const found = bots.length === 0 ? [`There is no state of a bot in ${looked}.`] : bots.map(botLine);
  const noted = bots.find(({ files }) => files !== null)?.files?.join(' ');
  const pm2 = pm2Configuration ? ['QUOTEKEEPER_CONFIG is set, but it is for pm2 only: no command goes by it.'] : [];
  return [
    `No configuration is named, and ${running}: name a configuration so that the right account is used.`,
    ...found,
    ...pm2,
    `Name the configuration: quotekeeper ${command} ${pm2Configuration || (noted ?? 'config/live.yaml')}`,
  ].join('\n');
}

function botLine({ stateFolder, files, isRunning }: FoundBot): string {
  const configuration = files === null ? 'its configuration is not known' : `configuration ${files.join(' ')}`;
  return `  ${stateFolder}: ${isRunning ? 'a bot runs' : 'no bot runs'}, ${configuration}`;
}

// If no bot answers: finds a live process that still holds the state folder, since a hanging bot is not gone.

interface Question {
  readonly stateFolder: string;
  /** For the recommended command. */
  readonly files: readonly string[];
  /** By this machine's clock. */
  readonly now: EpochMs;
}

/** Leases are renewed every few seconds: a bot unseen for longer hangs. */
const ALIVE_MS = 10_000;

/** A few sentences of advice; null if no process holds the folder. */
export function silentHolder({ stateFolder, files, now }: Question): string | null {
  const lease = readLease(leaseFile(stateFolder));
  const known = [lease?.process, readConfigurationNote(stateFolder)?.process].find(
    (process) => process !== undefined && stateOf(process) === 'running',
  );
  if (known === undefined && !isFolderHeld(stateFolder)) return null;
  const who = known === undefined ? 'A process' : `Process ${known.pid}`;
  const end = `end it with \`kill -KILL${known === undefined ? '' : ` ${known.pid}`}\``;
  const own = lease !== null && lease.process.pid === known?.pid ? lease : null;
  if (own !== null && own.cycles > 0 && own.withheld === undefined && now - own.at < ALIVE_MS)
    return (
      `${who} has ${stateFolder} and works: its last sign of life was ${secondsSince(own, now)} s ago. It does not ` +
      `answer at its socket: its log says why; \`kill -TERM ${own.process.pid}\` stops it clean.`
    );
  const life =
    own === null
      ? ''
      : own.cycles === 0
        ? ' Its loop has shown no sign of life yet.'
        : ` Its last sign of life was ${secondsSince(own, now)} s ago.`;
  return [
    `${who} has ${stateFolder} and does not answer: it is starting, was stopped (frozen), or hangs.${life}`,
    `If it stays so: \`quotekeeper cancel-all ${files.join(' ')}\`, then ${end}.`,
    '`pm2 list` may still call it online.',
  ].join(' ');
}

const secondsSince = ({ at }: Pick<Lease, 'at'>, now: EpochMs): string => Math.max(0, (now - at) / 1_000).toFixed(1);
