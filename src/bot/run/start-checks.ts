// Everything that prevents `run` from starting before the exchange is contacted: one list for `run` and `check`, so
// that neither refuses what the other passes.
import type { Secret } from '../../client/wire/secret.ts';
import { findCcxt, missingCcxt } from '../../reference/ccxt/exchange.ts';
import { EXIT, refusalOf, StartError } from '../base/exit-codes.ts';
import { createSecrets } from '../base/secrets.ts';
import { assertFileWritable, assertFolderUsable, pagePortRefusal, whyNotFree } from '../base/usable-paths.ts';
import { logFileOf } from '../io/open-bot-log.ts';
import { type Environment, readKeys } from '../keys/keys.ts';
import { openChannels } from '../notify/channels.ts';
import { journalSecrets } from '../postgres/journal-of.ts';
import { placeholderLines, secretLine } from '../settings/located.ts';
import type { Settings } from '../settings/types.ts';
import { latchSentence, readKillLatch } from '../state-folder/kill-latch.ts';
import { readableTokens } from '../web/page-tokens.ts';

/** How to run the checks. */
export interface StartLook {
  /** `null`: offline. Skips keys and ports: they are another machine's. */
  readonly environment: Environment | null;
  /** Takes the state folder, or checks whether it is free. Throws `StartError` if another instance holds it. */
  claim(): void;
}

interface Step {
  /** Throws `StartError`. */
  readonly run: () => void | Promise<void>;
  /** If it fails, the later steps are skipped: port and log belong to the process that blocks it. */
  readonly isBar?: true;
}

/** In the order in which `run` reports them. An invalid configuration was reported when it was loaded. */
function stepsOf(settings: Settings, { environment, claim }: StartLook): readonly Step[] {
  const { stateFolder, keys } = settings;
  return [
    { run: () => assertFilledIn(settings) },
    { run: () => assertFolderUsable(stateFolder), isBar: true },
    { run: () => assertNotLatched(stateFolder) },
    { run: () => void (keys !== null && environment !== null && readKeys(keys, environment)) },
    { run: () => void (environment !== null && journalSecrets(settings, environment)) },
    { run: () => void (environment !== null && channelSecrets(settings, environment)) },
    { run: () => void (environment !== null && assertNoSecretWritten(settings, environment)) },
    { run: claim, isBar: true },
    { run: () => assertFileWritable('log file', logFileOf(settings)) },
    ...(environment === null ? [] : [{ run: () => assertPagePortFree(settings) }]),
    ...(environment === null ? [] : [{ run: () => assertReferencePackage(settings) }]),
  ];
}

/** Not part of loading: a placeholder must not keep `status` or `cancel-all` from a running bot's orders. */
function assertFilledIn({ texts }: Settings): void {
  const lines = placeholderLines(texts);
  if (lines.length > 0) throw new StartError(EXIT.configurationInvalid, lines.join('\n'));
}

function assertNotLatched(stateFolder: string): void {
  const latch = readKillLatch(stateFolder);
  if (latch !== null) throw new StartError(EXIT.killLatched, latchSentence(latch));
}

/** Opens every channel for a moment. Throws `StartError` (78). */
function channelSecrets(settings: Settings, environment: Environment): readonly string[] {
  const { channels, secrets } = openChannels(settings, environment, 'bot');
  for (const { sender } of channels) sender.close();
  return secrets;
}

function assertNoSecretWritten(settings: Settings, environment: Environment): void {
  const known = createSecrets();
  for (const secret of secretsOf(settings, environment)) known.register(secret);
  const sentence = secretLine(settings.texts, known.areIn);
  if (sentence !== null) throw new StartError(EXIT.configurationInvalid, sentence);
}

/** Empty if one can't be read: earlier steps have reported that. */
function secretsOf(settings: Settings, environment: Environment): readonly string[] {
  const { keys, stateFolder } = settings;
  try {
    const secrets = [...channelSecrets(settings, environment), ...journalSecrets(settings, environment)];
    const own = keys === null ? [] : Object.values(readKeys(keys, environment)).map((each: Secret) => each.reveal());
    return [...own, ...secrets, ...readableTokens(stateFolder)];
  } catch (error) {
    if (error instanceof StartError) return [];
    throw error;
  }
}

async function assertPagePortFree({ web }: Settings): Promise<void> {
  const code = await whyNotFree(web);
  if (code !== null) throw pagePortRefusal(web, code);
}

/** Whether the package supports the exchanges is checked when it is loaded. */
function assertReferencePackage({ reference }: Settings): void {
  if (reference === null || findCcxt(reference.packageFolders) !== null) return;
  throw new StartError(EXIT.configurationInvalid, missingCcxt(reference.packageFolders));
}

/** Throws the first refusal. */
export async function assertMayStart(settings: Settings, look: StartLook): Promise<void> {
  for (const step of stepsOf(settings, look)) await step.run();
}

/** All refusals; empty if `run` would start. */
export async function startRefusals(settings: Settings, look: StartLook): Promise<readonly StartError[]> {
  const refusals: StartError[] = [];
  for (const { run, isBar = false } of stepsOf(settings, look)) {
    const refusal = await refusalOf(run);
    if (refusal !== null) refusals.push(refusal);
    if (refusal !== null && isBar) break;
  }
  return refusals;
}
