// `probe`: asks, infers, prints. After a Ctrl-C it infers from the answers so far.
import { existsSync } from 'node:fs';
import { createGotTransport } from '../../client/transport/got-transport.ts';
import { Secret } from '../../client/wire/secret.ts';
import { SECOND } from '../../domain/time.ts';
import { realClock } from '../../ports/clock.ts';
import { EXIT, type ExitCode, StartError } from '../base/exit-codes.ts';
import { stopSignal } from '../base/signals.ts';
import type { CommandIo } from '../io/command-io.ts';
import { type ApiKeys, clientSettings, type Environment, paperKeys, readKeys } from '../keys/keys.ts';
import { baseUrlsOf } from '../keys/venue-session.ts';
import { ensurePaperProcess } from '../paper/paper-process.ts';
import type { Settings } from '../settings/settings.ts';
import { type Answer, answeredWith } from './answer.ts';
import { converse } from './conversation.ts';
import { infer } from './infer.ts';
import { asJson, findingLines, headLines, settingLines } from './report.ts';
import { openVenueTalk, type Talk } from './venue-talk.ts';

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

interface Probe {
  readonly settings: Settings;
  readonly io: CommandIo;
  readonly options: ProbeOptions;
  /** `null`: asks only public questions. */
  readonly keys: ApiKeys | null;
  readonly symbols: readonly string[];
}

/** Throws `StartError`: 69 if the exchange can't be reached, 78 for invalid keys. */
export async function runProbe(settings: Settings, io: CommandIo, options: ProbeOptions): Promise<ExitCode> {
  const stopped = stopSignal(EXIT.endedAtOnce);
  const paper = settings.mode === 'paper' ? await ensurePaperProcess(settings) : null;
  try {
    const keys = keysOf(settings, io.environment);
    const symbols = options.symbols ?? settings.trader.runs.map(({ instrument }) => instrument.symbol);
    const probe = { settings, io, options, keys, symbols };
    const talk = talkTo(probe, stopped);
    const { apiKeyHeader } = settings.venue;
    await converse(talk, { symbols, hasKeys: keys !== null, apiKeyHeader }).finally(talk.close);
    return report(talk, probe);
  } finally {
    if (paper !== null && !paper.found) await paper.stop();
  }
}

/** `null` if none are set. Invalid keys are refused as everywhere. */
function keysOf({ keys, stateFolder }: Settings, environment: Environment): ApiKeys | null {
  if (keys === null) return paperKeys(stateFolder);
  const isSet =
    keys.kind === 'file'
      ? existsSync(keys.path)
      : [keys.key, keys.secret].some((name) => (environment[name] ?? '').trim() !== '');
  return isSet ? readKeys(keys, environment) : null;
}

function talkTo({ settings, io, options, keys }: Probe, stopped: Promise<unknown>): Talk {
  const { lanes, trader } = settings;
  const slowest = Math.min(lanes.public.requestsPerSecond, lanes.private.requestsPerSecond);
  const asked = {
    client: clientSettings(settings, keys ?? NO_KEYS),
    hasKeys: keys !== null,
    recvWindowMs: trader.assumptions.recvWindowMs,
    intervalMs: options.intervalMs ?? Math.max(LEAST_INTERVAL_MS, SECOND / slowest),
    budget: options.budget,
  };
  const transport = createGotTransport({ baseUrls: baseUrlsOf(settings) }, realClock);
  const heard = (answer: Answer, count: number): void => sayProgress(io, answer, count);
  return openVenueTalk(asked, { transport, clock: realClock, stopped, heard });
}

/** Prints each question with its answer: on a terminal by rewriting one line, in a pipe as plain lines. */
function sayProgress(io: CommandIo, answer: Answer, count: number): void {
  const { topic, symbol, sentAt, receivedAt } = answer;
  if (process.stderr.isTTY && count > 1) process.stderr.write(REWRITE);
  const what = symbol === null ? topic : `${topic} ${symbol}`;
  io.err(`${count}. ${what}: ${answeredWith(answer)}, ${receivedAt - sentAt} ms`);
}

function report(talk: Talk, { settings, io, options, keys, symbols }: Probe): ExitCode {
  const answers = talk.answers();
  const [first] = answers;
  if (first === undefined) {
    io.err('Stopped before anything was answered.');
    return EXIT.done;
  }
  if (answers.every(({ status }) => status === null)) {
    throw new StartError(EXIT.unavailable, `The exchange at ${settings.venue.baseUrl} cannot be asked: ${first.fault}`);
  }
  const findings = infer(answers, settings, symbols);
  const hasKeys = keys !== null;
  if (options.json) io.out(JSON.stringify(asJson(talk, { settings, findings, hasKeys }), null, 2));
  else {
    const head = headLines(talk, settings, hasKeys);
    io.out([...head, '', ...findingLines(findings), '', ...settingLines(findings)].join('\n'));
  }
  return EXIT.done;
}
