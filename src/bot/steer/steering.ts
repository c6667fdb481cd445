// Handles every command to a running bot, from the socket in the state folder or the page. Commands that read files
// take time and run one at a time.
import { realpathSync, statSync } from 'node:fs';
import { ok } from '../../domain/result.ts';
import { writeDurably } from '../base/durable-file.ts';
import { StartError } from '../base/exit-codes.ts';
import type { Log } from '../base/log.ts';
import { systemCode } from '../base/system-error.ts';
import { secretLine, splitName } from '../settings/located.ts';
import { readText } from '../settings/settings.ts';
import type { Settings } from '../settings/types.ts';
import type { SteerAnswer, SteerCommand } from './command.ts';
import { perform, type Steered } from './perform.ts';
import { editedTexts, type Proposal, proposal, shownProposal, type Texts, unnamedChanges } from './proposal.ts';

export type Steering = ReturnType<typeof createSteering>;

export interface SteeringParts extends Steered {
  /** The settings at the start. */
  readonly settings: Settings;
  readonly log: Log;
  /** Whether text reveals a random secret that the bot knows. */
  readonly holdsSecret: (text: string) => boolean;
  /** Called after each command, whoever gave it: earlier views may be outdated. */
  readonly performed: () => void;
}

type ChangeCommand = Extract<SteerCommand, { readonly command: 'set' | 'reload' }>;

export function createSteering(parts: SteeringParts) {
  // The current configuration as text: the files at the start, plus changes applied since.
  let applied: Texts = parts.settings.texts;
  let isBusy = false;

  async function change(command: ChangeCommand): Promise<SteerAnswer> {
    if (isBusy) return { refused: 'Another change is being looked at: ask again.' };
    isBusy = true;
    try {
      const outcome = await changeParameters(parts, applied, command);
      applied = outcome.applied ?? applied;
      return outcome.answer;
    } catch (error) {
      if (error instanceof StartError) return { refused: error.message };
      throw error;
    } finally {
      isBusy = false;
    }
  }

  return {
    /** Never rejects: a command that can't be performed is refused with a sentence, and nothing of it is done. */
    async perform(command: SteerCommand): Promise<SteerAnswer> {
      if (givesSecretAway(parts, command)) return { refused: SECRET_TYPED };
      const answer = await answered(parts, command, change);
      parts.performed();
      tell(parts.log, command, answer);
      return answer;
    },
  };
}

function answered(
  parts: SteeringParts,
  command: SteerCommand,
  change: (command: ChangeCommand) => Promise<SteerAnswer>,
): SteerAnswer | Promise<SteerAnswer> {
  // The latch is a file: it is set even if the loop has failed. A stop that is not proved ends for a new start.
  if (command.command === 'cancel-all') return perform(parts, command);
  const refused = whyNoCommand(parts);
  if (refused !== null) return { refused };
  if (command.command === 'set' || command.command === 'reload') return change(command);
  const answer = perform(parts, command);
  return parts.loop.isBroken() ? { refused: FAILED_MEANWHILE } : answer;
}

/** Symbols and paths may equal a password made of plain words; a reason never needs one. */
export function givesSecretAway(
  { holdsSecret, log }: Pick<SteeringParts, 'holdsSecret' | 'log'>,
  command: SteerCommand,
): boolean {
  const reason = 'reason' in command ? command.reason : '';
  return holdsSecret(JSON.stringify(command)) || log.scrub(reason) !== reason;
}

export const SECRET_TYPED =
  'The command holds a token or a key of the bot, which would be shown and stored with it. Nothing was changed.';
const FAILED = 'The bot has failed and ends, as its log says: it takes no command any more. Nothing was changed.';
/** With several symbols, some may have been recorded before the disk was full. */
const FAILED_MEANWHILE =
  'The bot failed at it and ends, as its log says. After its next start `status` shows what of it holds: ' +
  'what does not must be said again.';

function whyNoCommand({ loop }: SteeringParts): string | null {
  const { phase } = loop.state();
  if (phase === 'stopping' || phase === 'stopped') return 'The bot is stopping already.';
  return loop.isBroken() ? FAILED : null;
}

/** Only asking for a preview is not logged. */
export function tell(log: Log, { command, by }: SteerCommand, answer: SteerAnswer): void {
  if ('preview' in answer) return;
  const words = 'done' in answer ? answer.done.join(' ') : `refused: ${answer.refused}`;
  log.logEvent({ op: 'steering', message: `${by} says ${command}: ${words}` });
}

interface Outcome {
  readonly answer: SteerAnswer;
  /** Absent if nothing was applied. */
  readonly applied?: Texts;
}

const refuse = (refused: string): Outcome => ({ answer: { refused } });

async function changeParameters(parts: SteeringParts, applied: Texts, command: ChangeCommand): Promise<Outcome> {
  const { settings, loop } = parts;
  const onDisk = new Map(settings.files.map((file) => [file, readText(file)]));
  const texts = command.command === 'reload' ? ok(onDisk) : editedTexts(command.temporary ? applied : onDisk, command);
  if (!texts.ok) return refuse(texts.error);
  const secret = secretLine(texts.value, parts.holdsSecret);
  if (secret !== null) return refuse(`Nothing is changed. ${secret}`);
  const where = whereText(command);
  const proposed = await proposal(settings, () => loop.state(), { texts: texts.value, where });
  if (!proposed.ok) return refuse(`Nothing is changed. ${proposed.error}`);
  // Reading took time, so checks again.
  const isWritten = command.command === 'set' && !command.temporary;
  const files = new Map([...texts.value].filter(([file, text]) => isWritten && onDisk.get(file) !== text));
  const refusal = whyNoCommand(parts) ?? whyNot(parts, command, { proposed: proposed.value, files });
  if (refusal !== null) return refuse(refusal);
  if (command.confirm === null) {
    return { answer: { preview: { ...shownProposal(proposed.value, loop.state(), { now: parts.now(), where }) } } };
  }
  const unwritten = written(files, onDisk);
  if (unwritten !== null) return refuse(unwritten);
  for (const run of proposed.value.runs) loop.tell({ kind: 'revise-run', run, by: command.by });
  if (loop.isBroken()) return refuse(FAILED_MEANWHILE);
  return { answer: { done: [...whatChanged(proposed.value), whereText(command, true)] }, applied: texts.value };
}

const LOOK_AGAIN = 'Nothing is changed: since this was shown, the bot or its files have changed. Look again.';

/** Why the change is not applied, or not even shown. */
function whyNot(
  { loop }: SteeringParts,
  command: ChangeCommand,
  { proposed, files }: { readonly proposed: Proposal; readonly files: Texts },
): string | null {
  const { confirm } = command;
  if (command.command === 'set') {
    const paths = command.changes.map(({ path }) => path);
    const others = unnamedChanges(proposed, loop.state(), { symbol: command.symbol, paths });
    if (others.length > 0) {
      return (
        `Nothing is changed: the files say more than the bot runs with (${others.join(', ')}). ` +
        '`reload` shows and takes all of it; `set --temporary` leaves the files out.'
      );
    }
  }
  if (confirm !== null && confirm !== proposed.id) return LOOK_AGAIN;
  if (proposed.runs.length > 0 || files.size > 0) return null;
  const later = proposed.wantsRestart;
  const rest = later.length === 0 ? '' : ` Changes in ${later.join(', ')} need a restart.`;
  return `Nothing would change: the bot runs with these parameters.${rest}`;
}

/** What happens to the files, in words for before and after. */
function whereText(command: ChangeCommand, isDone = false): string {
  if (command.command === 'reload') return 'The files stay as they are.';
  if (command.temporary) return 'Until the next start: the file stays as it is.';
  return isDone ? 'Written into the file.' : 'Once it is applied, it stands in the file as well.';
}

const whatChanged = ({ runs }: Proposal): string[] =>
  runs.length === 0
    ? ['The bot runs with these parameters already.']
    : [`Changed: ${runs.map(({ instrument }) => instrument.symbol).join(', ')}.`];

/** A sentence if a file can't be written, or changed meanwhile. A `set` changes one file. */
function written(files: Texts, before: Texts): string | null {
  for (const [file, text] of files) {
    if (readText(file) !== before.get(file)) return LOOK_AGAIN;
    try {
      // Follows a link, and keeps the file's mode.
      const real = realpathSync(splitName(file).file);
      writeDurably(real, text, statSync(real).mode & 0o777);
    } catch (error) {
      return (
        `Nothing is changed: ${file} can't be written (${systemCode(error)}). ` +
        '`set --temporary` changes the running bot alone.'
      );
    }
  }
  return null;
}
