// `probe`: asks, infers, prints, writes. What a Ctrl-C leaves of the conversation is inferred from all the same.
import { existsSync } from 'node:fs';
import { createGotTransport } from '../../client/transport/got-transport.ts';
import { Secret } from '../../client/wire/secret.ts';
import { SECOND } from '../../domain/time.ts';
import { realClock } from '../../ports/clock.ts';
import { EXIT, type ExitCode, StartError } from '../base/exit-codes.ts';
import { stopSignal } from '../base/stop-signal.ts';
import type { CommandIo } from '../io/command-io.ts';
import { accountNamed } from '../keys/account-named.ts';
import { baseUrlsOf, clientSettings } from '../keys/client-settings.ts';
import { type ApiKeys, type Environment, readKeys } from '../keys/keys.ts';
import { paperKeys } from '../keys/paper-keys.ts';
import { ensurePaperProcess } from '../paper/paper-process.ts';
import type { Settings } from '../settings/settings.ts';
import { infer } from './findings/infer.ts';
import { configuredOf } from './report/configured.ts';
import { findingLines, writtenLines } from './report/findings-table.ts';
import { asJson, headLines } from './report/report.ts';
import { assertNew, writeConfiguration } from './report/write-configuration.ts';
import { converse } from './talk/conversation.ts';
import { createProgress, type Progress } from './talk/progress.ts';
import { openVenueTalk, type Talk } from './talk/venue-talk.ts';

export interface ProbeOptions {
  /** Where to write what was found; `null` prints only. */
  readonly out: string | null;
  /** Instead of those of the runs. */
  readonly symbols: readonly string[] | null;
  readonly budget: number;
  readonly json: boolean;
  readonly provoke: boolean;
  /** Instead of `LEAST_INTERVAL_MS`. */
  readonly intervalMs: number | null;
}

/** Field notes, N1: what a live service was seen to allow. Never faster than this unless a person says so. */
const LEAST_INTERVAL_MS = 2_500;

/** One line up, and the line emptied. */
const REWRITE = '\u001b[1A\u001b[2K';

/**
 * Throws `StartError`: 64 where the file is there already, 69 where the exchange can't be reached, 74 where the file
 * can't be written, 78 for keys that are no keys.
 */
export async function runProbe(settings: Settings, io: CommandIo, options: ProbeOptions): Promise<ExitCode> {
  if (options.out !== null) assertNew(options.out);
  const stopped = stopSignal(EXIT.endedAtOnce);
  const rewrite = process.stderr.isTTY ? () => void process.stderr.write(REWRITE) : null;
  const progress = createProgress(io.err, rewrite);
  const paper = settings.mode === 'paper' ? await ensurePaperProcess(settings) : null;
  try {
    const keys = keysOf(settings, io.environment);
    const talk = talkTo(settings, { keys, options, stopped, progress });
    await conductTo(talk, settings, { keys, options });
    return await report(talk, { settings, io, options, hasKeys: keys !== null });
  } finally {
    if (paper !== null && !paper.found) await paper.stop();
  }
}

/**
 * `null` where none are set: then only the public part is asked. Keys that are set and wrong are refused as everywhere.
 */
function keysOf({ keys, stateFolder }: Settings, environment: Environment): ApiKeys | null {
  if (keys === null) return paperKeys(stateFolder);
  const isSet =
    keys.kind === 'file'
      ? existsSync(keys.path)
      : [keys.key, keys.secret].some((name) => (environment[name] ?? '').trim() !== '');
  return isSet ? readKeys(keys, environment) : null;
}

interface Talking {
  readonly keys: ApiKeys | null;
  readonly options: ProbeOptions;
  readonly stopped: Promise<unknown>;
  readonly progress: Progress;
}

/** Never used: without keys nothing is signed. */
const NO_KEYS: ApiKeys = { key: new Secret('no key'), secret: new Secret('no secret') };

function talkTo(settings: Settings, { keys, options, stopped, progress }: Talking): Talk {
  const { lanes, trader } = settings;
  const slowest = Math.min(lanes.public.requestsPerSecond, lanes.private.requestsPerSecond);
  return openVenueTalk(
    {
      client: clientSettings(settings, keys ?? NO_KEYS),
      hasKeys: keys !== null,
      recvWindowMs: trader.assumptions.recvWindowMs,
      intervalMs: options.intervalMs ?? Math.max(LEAST_INTERVAL_MS, SECOND / slowest),
      budget: options.budget,
    },
    {
      transport: createGotTransport({ baseUrls: baseUrlsOf(settings) }, realClock),
      clock: realClock,
      stopped,
      heard: progress.heard,
    },
  );
}

async function conductTo(
  talk: Talk,
  settings: Settings,
  { keys, options }: { readonly keys: ApiKeys | null; readonly options: ProbeOptions },
): Promise<void> {
  const { venue } = settings;
  try {
    await converse(talk, {
      symbols: symbolsOf(settings, options),
      hasLegacy: venue.legacyBaseUrl !== null,
      hasKeys: keys !== null,
      otherEncoding: venue.signature.percentEncoding === 'raw' ? 'encoded' : 'raw',
      apiKeyHeader: venue.apiKeyHeader,
      provoke: options.provoke,
    });
  } finally {
    talk.close();
  }
}

const symbolsOf = ({ trader }: Settings, { symbols }: ProbeOptions): readonly string[] =>
  symbols ?? trader.runs.map(({ instrument }) => instrument.symbol);

interface Reporting {
  readonly settings: Settings;
  readonly io: CommandIo;
  readonly options: ProbeOptions;
  readonly hasKeys: boolean;
}

async function report(talk: Talk, { settings, io, options, hasKeys }: Reporting): Promise<ExitCode> {
  const answers = talk.answers();
  const [first] = answers;
  if (first === undefined) {
    io.err('Stopped before anything was answered.');
    return EXIT.done;
  }
  if (answers.every(({ status }) => status === null)) {
    throw new StartError(EXIT.unavailable, `The exchange at ${settings.venue.baseUrl} cannot be asked: ${first.fault}`);
  }
  const findings = infer(answers, configuredOf(settings, symbolsOf(settings, options)));
  const head = headLines(talk, settings, hasKeys);
  if (!options.json) io.out([...head, '', ...findingLines(findings), ''].join('\n'));
  const written = options.out === null ? null : await writeConfiguration(options.out, { settings, findings, head });
  if (options.json)
    io.out(JSON.stringify(asJson(talk, { named: accountNamed(settings), findings, written, hasKeys }), null, 2));
  else
    io.out(
      written === null
        ? 'Nothing is written; --out FILE writes a configuration with what was found.'
        : writtenLines(written).join('\n'),
    );
  return EXIT.done;
}
