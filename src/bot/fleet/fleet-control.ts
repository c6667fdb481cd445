// All accounts of a database seen and steered as one: for `fleet` and its page.
import { setTimeout } from 'node:timers/promises';
import { type DurationMs, SECOND } from '../../domain/time.ts';
import { realClock } from '../../ports/clock.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import { duration } from '../base/message.ts';
import type { Environment } from '../keys/keys.ts';
import { COMMAND_LIVES_MS } from '../postgres/fleet-statements.ts';
import { postgresPlace } from '../postgres/journal-of.ts';
import { placeText } from '../postgres/postgres-place.ts';
import { filesByAccount, loadSettings } from '../settings/settings.ts';
import type { Settings } from '../settings/types.ts';
import { translated } from '../state-folder/state-folder.ts';
import type { SteerAnswer, SteerRequest } from '../steer/command.ts';
import {
  type AccountSeen,
  type FleetDatabase,
  type FleetProcess,
  openFleet,
  type ProcessSeen,
} from './fleet-database.ts';
import { type FleetStatus, fleetStatusSchema } from './fleet-status.ts';

/** A process tells of itself once a second; a stop of the world for some seconds is no silence. */
const SILENT_MS: DurationMs = 10 * SECOND;
const ANSWERS_WITHIN_MS: DurationMs = 10 * SECOND;
const LOOK_EVERY_MS: DurationMs = 300;

export interface Fleet {
  /** Of the first account: what all have in common stands there as well. */
  readonly settings: Settings;
  /** The account that is named, or all of the configuration; null where it names none: all of the database. */
  readonly names: readonly string[] | null;
  readonly database: FleetDatabase;
}

/** Throws `StartError`: 78 without a database in the configuration, 73 if it can't be used. */
export async function openFleetOf(files: readonly string[], environment: Environment): Promise<Fleet> {
  const all = filesByAccount(files);
  const settings = await loadSettings(all[0]?.files ?? files);
  if (settings.journal === null)
    throw new StartError(EXIT.configurationInvalid, 'A fleet is the accounts of one database: journal.kind: postgres.');
  const place = postgresPlace(settings.journal, environment);
  const named = all.flatMap(({ account }) => account ?? []);
  const names = named.length === 0 ? null : named;
  const open = () => openFleet(place, names, realClock);
  return { settings, names, database: translated(settings.stateFolder, open, placeText(place)) };
}

export interface ProcessView extends Omit<ProcessSeen, 'status'> {
  /** Null where it can't be read: of another version. */
  readonly status: FleetStatus | null;
  readonly isSilent: boolean;
}

export interface AccountView extends Omit<AccountSeen, 'processes'> {
  readonly processes: readonly ProcessView[];
  /** What a person should look at; null if nothing. */
  readonly trouble: string | null;
}

type Seen = Pick<Fleet, 'database' | 'names'>;

/** One account, or each if it is null; also one that is configured and has never run. Throws `StartError` (64). */
export function lookAt({ database, names }: Seen, wanted: string | null = null): readonly AccountView[] {
  const seen = new Map(database.look().map((each) => [each.account, each]));
  for (const account of names ?? [])
    if (!seen.has(account)) seen.set(account, { account, heldBy: null, latch: null, processes: [] });
  const found = [...seen.values()].filter(({ account }) => wanted === null || account === wanted);
  if (wanted !== null && found.length === 0)
    throw new StartError(
      EXIT.usage,
      `There is no account ${wanted} in this fleet: its accounts are ${[...seen.keys()].join(', ')}.`,
    );
  return found.map((each) => {
    const processes = each.processes.map(({ status, ...process }) => ({
      ...process,
      status: fleetStatusSchema.safeParse(status).data ?? null,
      isSilent: process.agoMs > SILENT_MS,
    }));
    return { ...each, processes, trouble: troubleOf(each, processes) };
  });
}

function troubleOf({ heldBy, latch }: AccountSeen, processes: readonly ProcessView[]): string | null {
  if (latch !== null) return `The kill latch is set: ${latch}`;
  const holder = processes.find((each) => each.role === 'bot' && each.holder === heldBy);
  if (heldBy === null) return 'No bot has the account: nothing is quoted.';
  if (holder === undefined) return `${heldBy} has the account and has told nothing yet.`;
  if (holder.isSilent) return `${heldBy} has told nothing for ${duration(holder.agoMs)}.`;
  return holder.status?.next || null;
}

export interface Answered extends FleetProcess {
  /** Null where it did not answer. */
  readonly answer: SteerAnswer | null;
}

export interface Meant {
  readonly request: SteerRequest;
  /** Null for all. */
  readonly account: string | null;
}

/**
 * Sends one command to all processes that should carry it out, and waits for their answers. A stop goes to standbys
 * first, so that none of them takes over. `cancel-all` latches each account before, also those whose bot is silent.
 * Throws `StartError` (64) for an account that is not of the fleet.
 */
export async function steerFleet(fleet: Seen, { request, account: wanted }: Meant) {
  const { database } = fleet;
  if (request.command === 'cancel-all') {
    const names = lookAt(fleet, wanted).map(({ account }) => account);
    database.latch(names, `cancel-all was called by ${request.by}.`);
  }
  const accounts = lookAt(fleet, wanted);
  const processes = accounts.flatMap((each) => each.processes.filter(({ isSilent }) => !isSilent));
  const holds = ({ role, holder, account }: FleetProcess): boolean =>
    role === 'bot' && accounts.some((each) => each.account === account && each.heldBy === holder);
  const standbys = request.command === 'stop' ? processes.filter(({ role }) => role === 'standby') : [];
  const answered: Answered[] = [];
  for (const wave of [standbys, processes.filter(holds)]) answered.push(...(await asked(database, request, wave)));
  const without = accounts.filter(
    ({ account }) => !answered.some((each) => each.role === 'bot' && each.account === account),
  );
  return { answered, without: without.map(({ account, trouble }) => ({ account, trouble })) };
}

async function asked(
  database: FleetDatabase,
  request: SteerRequest,
  processes: readonly FleetProcess[],
): Promise<readonly Answered[]> {
  if (processes.length === 0) return [];
  const to = processes.map(({ account, role, holder }) => ({ account, role, holder }));
  const commands = database.command(request, to);
  const ids = commands.map(({ id }) => id);
  const until = realClock.monotonic() + ANSWERS_WITHIN_MS;
  let answers = database.answers(ids);
  while (answers.size < ids.length && realClock.monotonic() < until) {
    await setTimeout(LOOK_EVERY_MS);
    answers = database.answers(ids);
  }
  return commands.map(({ id, ...process }) => ({ ...process, answer: answers.get(id) ?? null }));
}

type Steered = Awaited<ReturnType<typeof steerFleet>>;

/** Each process's answer, and the accounts of which no bot was asked, as sentences. */
export function steeredLines({ answered, without }: Steered, { command }: SteerRequest) {
  const isCancelAll = command === 'cancel-all';
  const isDone = without.length === 0 && answered.every(({ answer }) => answer !== null && 'done' in answer);
  const latched = isCancelAll ? ' It is latched, so that nobody quotes it.' : '';
  const proof = 'For those: `quotekeeper cancel-all FILE#ACCOUNT` proves that no order is left.';
  const missing = [
    ...answered.filter(({ answer }) => answer === null).map((each) => lineOf(each, NO_ANSWER)),
    ...without.map(({ account, trouble }) => `${account}: no bot was asked. ${trouble ?? ''}${latched}`.trimEnd()),
  ];
  return {
    /** Whether every account's bot has done it. */
    isDone,
    answers: answered.flatMap((each) => (each.answer === null ? [] : lineOf(each, wordsOf(each.answer)))),
    missing: isCancelAll && !isDone ? [...missing, proof] : missing,
  };
}

const lineOf = ({ account, role, holder }: FleetProcess, words: string): string =>
  `${account} (${role} at ${holder}): ${words}`;

const wordsOf = (answer: SteerAnswer): string =>
  'refused' in answer ? answer.refused : 'done' in answer ? answer.done.join(' ') : '';

const NO_ANSWER =
  `no answer within ${ANSWERS_WITHIN_MS / SECOND} s: it is not known whether the command was taken; ` +
  `after ${COMMAND_LIVES_MS / SECOND} s it is not taken any more`;
