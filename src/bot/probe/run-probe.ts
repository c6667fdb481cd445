// `probe`: asks, infers, prints. After a Ctrl-C it infers from the answers so far.
import { existsSync } from 'node:fs';
import { createGotTransport } from '../../client/transport/got-transport.ts';
import { Secret } from '../../client/wire/secret.ts';
import { SECOND } from '../../domain/time.ts';
import { realClock } from '../../ports/clock.ts';
import { EXIT, type ExitCode, StartError } from '../base/exit-codes.ts';
import { stopSignal } from '../base/signals.ts';
import type { CommandIo } from '../io/command-io.ts';
import { type ApiKeys, type Environment, paperKeys, readKeys } from '../keys/keys.ts';
import { ensurePaperProcess } from '../paper/paper-process.ts';
import type { Settings } from '../settings/settings.ts';
import { type Answer, answeredWith } from './answer.ts';
import { converse } from './conversation.ts';
import { infer } from './infer.ts';
import { asJson, findingLines, headLines, settingLines } from './report.ts';
import { openVenueTalk } from './venue-talk.ts';

export interface ProbeOptions {
  /** Replaces the symbols of the runs. */
  readonly symbols: readonly string[] | null;
  readonly budget: number;
  readonly json: boolean;
  /** Replaces `LEAST_INTERVAL_MS`. */
  readonly intervalMs: number | null;
}

/** A live exchange was observed to allow this pace. Never faster unless a person requests it. */
const LEAST_INTERVAL_MS = 2_500;

/** Moves up one line and clears it. */
const REWRITE = '\u001b[1A\u001b[2K';

/** Never used: without keys nothing is signed. */
const NO_KEYS: ApiKeys = { key: new Secret('no key'), secret: new Secret('no secret') };

/** Throws `StartError`: 69 if the exchange can't be reached, 78 for invalid keys. */
export async function runProbe(settings: Settings, io: CommandIo, options: ProbeOptions): Promise<ExitCode> {
  const stopped = stopSignal(EXIT.endedAtOnce);
  const paper = settings.mode === 'paper' ? await ensurePaperProcess(settings) : null;
  try {
    const { lanes, venue } = settings;
    const keys = keysOf(settings, io.environment);
    const symbols = options.symbols ?? settings.trader.runs.map(({ instrument }) => instrument.symbol);
    const slowest = Math.min(lanes.public.requestsPerSecond, lanes.private.requestsPerSecond);
    const intervalMs = options.intervalMs ?? Math.max(LEAST_INTERVAL_MS, SECOND / slowest);
    const transport = createGotTransport({ baseUrls: [venue.baseUrl] }, realClock);
    const heard = (answer: Answer, count: number): void => sayProgress(io, answer, count);
    const asked = { settings, keys: keys ?? NO_KEYS, intervalMs, budget: options.budget };
    const talk = openVenueTalk(asked, { transport, stopped, heard });
    const hasKeys = keys !== null;
    await converse(talk, { symbols, hasKeys, apiKeyHeader: venue.apiKeyHeader }).finally(talk.close);
    const [first] = talk.answers();
    if (first === undefined) io.err('Stopped before anything was answered.');
    else if (talk.answers().every(({ status }) => status === null))
      throw new StartError(EXIT.unavailable, `The exchange at ${venue.baseUrl} cannot be asked: ${first.fault}`);
    else {
      const findings = infer({ answers: talk.answers(), symbols, clock: talk.clock() }, settings);
      if (options.json) io.out(JSON.stringify(asJson(talk, { settings, findings, hasKeys }), null, 2));
      else {
        const head = headLines(talk, settings, hasKeys);
        io.out([...head, '', ...findingLines(findings), '', ...settingLines(findings)].join('\n'));
      }
    }
    return EXIT.done;
  } finally {
    if (paper !== null && !paper.found) await paper.stop();
  }
}

/** `null` if none are set: asks only public questions. Invalid keys are refused as everywhere. */
function keysOf({ keys, stateFolder }: Settings, environment: Environment): ApiKeys | null {
  if (keys === null) return paperKeys(stateFolder);
  const isSet =
    keys.kind === 'file'
      ? existsSync(keys.path)
      : [keys.key, keys.secret].some((name) => (environment[name] ?? '').trim() !== '');
  return isSet ? readKeys(keys, environment) : null;
}

/** Prints each question with its answer: on a terminal by rewriting one line, in a pipe as plain lines. */
function sayProgress(io: CommandIo, answer: Answer, count: number): void {
  const { topic, symbol, sentAt, receivedAt } = answer;
  if (process.stderr.isTTY && count > 1) process.stderr.write(REWRITE);
  const what = symbol === null ? topic : `${topic} ${symbol}`;
  io.err(`${count}. ${what}: ${answeredWith(answer)}, ${receivedAt - sentAt} ms`);
}
