// The exchange for your own programs: 26 methods and whole histories, behind two lanes that respect its limits, signed
// by its clock. `docs/client.md` explains its use; the parts are the bot's own.
import { setTimeout } from 'node:timers/promises';
import type { z } from 'zod';
import type { Fill, SbsTrade } from '../domain/fill.ts';
import type { Asset, InstrumentSymbol } from '../domain/instrument.ts';
import { type DurationMs, type EpochMs, SECOND } from '../domain/time.ts';
import type { CryptoTransfer, FiatTransfer, TransferDirection } from '../domain/transfer.ts';
import { cryptoTransfers, fiatTransfers, type HistoryQuestion, sbsTrades, spotTrades } from '../history/lists.ts';
import type { HistoryOutcome } from '../history/outcome.ts';
import { type ListTraits, PROVING_HISTORY } from '../history/query.ts';
import { realClock } from '../ports/clock.ts';
import { realRandom } from '../ports/random.ts';
import { DIALECT } from '../venue/dialect.ts';
import { ENDPOINTS } from '../venue/endpoints.ts';
import type { AnswerFacts, Completed } from '../venue/outcomes.ts';
import { isObject } from '../venue/parsers/fields.ts';
import { isThrottled } from '../venue/refusals.ts';
import type { VenueRequest } from '../venue/requests.ts';
import { checked, copied, HISTORIES, type Moment, OPTIONS, SETTINGS } from './asked/arguments.ts';
import type { ClockEstimate } from './clock/server-clock.ts';
import { createStamper, stampOf } from './clock/stamper.ts';
import {
  type CallOptions,
  createExchangeApi,
  type ExchangeApi,
  type FirstPages,
  type ReadOptions,
} from './exchange-api.ts';
import { type ClientSettings, createExchangeClient } from './exchange-client.ts';
import { collected, type History, type HistoryApi, type ReaderSettings, readHistory } from './history-reader.ts';
import { retryAt } from './outcomes/classify.ts';
import { learnedFacts } from './outcomes/rate-limit-headers.ts';
import { createLane, type Lane } from './pace/lane.ts';
import { createGotTransport } from './transport/got-transport.ts';
import { Secret } from './wire/secret.ts';

/** The exchange's address, the key, and known facts about the exchange. Absent fields have the bot's own defaults. */
export interface ExchangeSettings extends Pick<ClientSettings, 'legacyBaseUrl' | 'legacyPaths' | 'timeOffsetsMs'> {
  /** https, or http on this machine; nothing is ever sent anywhere else. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly secret: string;
  /** Name of the header that carries the key. */
  readonly apiKeyHeader?: string;
  /** Most requests per second: 0.4 public and one private until a limit is known. */
  readonly requestsPerSecond?: { readonly public: number; readonly private: number };
  /** How long the exchange may accept a request after its timestamp (2.5 s). */
  readonly recvWindowMs?: DurationMs;
  /** Longest wait for a whole answer (10 s). */
  readonly deadlineMs?: DurationMs;
  /** The exchange lists all open orders, any number: a page of 20 or 50 rows is then whole (Q4). */
  readonly openOrdersUncapped?: boolean;
}

/**
 * From `from`, or from behind the rows that an earlier reading has settled (`after`: the outcome with which it ended),
 * to `to` or the present; both included. Rows later than `after.settledUntil` come again.
 */
export type HistorySpan = { readonly to?: Moment } & (
  | { readonly from: Moment; readonly after?: never }
  | { readonly after: Pick<HistoryOutcome, 'settledUntil'>; readonly from?: never }
);

/** A lane: requests that the exchange counts together. */
export interface LaneState {
  /** Calls that wait for their turn. */
  readonly waiting: number;
  /** Requests whose answer is awaited. */
  readonly inFlight: number;
  /** Time between two requests, as learned from the exchange. */
  readonly intervalMs: DurationMs;
  /** Until when the exchange wants no request, epoch ms; null if it takes them. */
  readonly pausedUntil: EpochMs | null;
}

/**
 * Each history yields rows as they become known (exact decimals, true times), and ends with the proof: `complete`, or
 * each gap with its reason. It handles pages that shift, repeat or are cut.
 */
export interface Exchange {
  /** Each method asks once. Failures of the network or the exchange are in the outcome, never thrown. */
  readonly api: ExchangeApi;
  /** The same for lists that may be longer than a page. */
  readonly firstPage: FirstPages;
  /** The account's executions in a market. */
  spotTrades(of: HistorySpan & { readonly symbol: InstrumentSymbol }, options?: CallOptions): History<Fill>;
  /** Its simple buys and sells of a coin (`COIN/INR`), as far back as the list goes. */
  sbsTrades(of: HistorySpan & { readonly symbol: InstrumentSymbol }, options?: CallOptions): History<SbsTrade>;
  /** Its crypto deposits or withdrawals, of one asset or of all. */
  cryptoTransfers(
    of: HistorySpan & { readonly direction: TransferDirection; readonly asset?: Asset },
    options?: CallOptions,
  ): History<CryptoTransfer>;
  /** Its INR deposits or withdrawals. */
  fiatTransfers(
    of: HistorySpan & { readonly direction: TransferDirection },
    options?: CallOptions,
  ): History<FiatTransfer>;
  /** The exchange's clock against ours, as learned from answers; null before the first. */
  clock(): ClockEstimate | null;
  /** How busy the lanes are now. */
  lanes(): { readonly public: LaneState; readonly private: LaneState };
  /**
   * Ends the calls that wait for their turn, as their `signal` would; waits for requests in flight, then closes the
   * connections. Later calls end at once in the same way. Never rejects.
   */
  close(): Promise<void>;
  /** `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

const CAUTIOUS_RATES = { public: 0.4, private: 1 };
const MOST_IN_FLIGHT = 2;
const READER: ReaderSettings = { ...PROVING_HISTORY, attempts: 3, mostThrottled: 20 };

/** Sends nothing yet. Throws for an invalid setting, such as a `baseUrl` that is neither https nor local. */
export function openExchange(given: ExchangeSettings): Exchange {
  const own = copied(given);
  const secrets = secretsIn(own);
  const settings = checked(SETTINGS, own, { name: 'openExchange', secrets });
  const { recvWindowMs = 2_500, requestsPerSecond = CAUTIOUS_RATES } = settings;
  const ports = { clock: realClock, random: realRandom };
  const { baseUrl, legacyBaseUrl } = settings;
  const baseUrls = legacyBaseUrl === undefined ? [baseUrl] : [baseUrl, legacyBaseUrl];
  const transport = createGotTransport({ baseUrls }, realClock);
  const client = createExchangeClient({ settings: clientSettingsOf(settings), transport, clock: realClock });
  const stamper = createStamper(realClock, recvWindowMs);
  const lane = (rate: number): Lane => createLane({ requestsPerSecond: rate, maxInFlight: MOST_IN_FLIGHT }, ports);
  const lanes = { public: lane(requestsPerSecond.public), private: lane(requestsPerSecond.private) };

  async function send(request: VenueRequest, signal?: AbortSignal): Promise<Completed> {
    // Stamped as it leaves: its turn may come minutes after the call.
    const stamped = 'stamp' in request ? { ...request, stamp: stamper.stamp() } : request;
    const completed = await client.perform(stamped, signal);
    const facts = learnedFacts(stamper, completed);
    laneOf(request).learn(facts, isThrottled(facts.status));
    return withFacts(completed, facts);
  }

  // Whether the exchange counts legacy requests separately is unknown (Q18): they share the public lane.
  const laneOf = ({ kind }: VenueRequest): Lane => lanes[ENDPOINTS[kind].lane === 'private' ? 'private' : 'public'];

  /** Asks once, when the lane gives a turn; without one nothing is sent. */
  async function perform(request: VenueRequest, signal?: AbortSignal): Promise<Completed> {
    let isKnown = stamper.estimate() !== null;
    const answers: Completed[] = [];
    for (;;) {
      const ticket = await laneOf(request).ticket(async () => {
        answers.push(await send(request, signal));
      }, signal);
      const answered = answers.at(-1);
      if (answered === undefined) return client.perform(request, signal?.aborted === true ? signal : CLOSED);
      // The first stamp is by our own clock, which may be hours off: its refusal shows the exchange's time.
      if (ticket === 'dropped' || isKnown || stampOf(answered)?.verdict !== 'refused') return answered;
      isKnown = true;
    }
  }

  /** Asks again where the exchange put the request off, as often as the options allow. */
  async function ask(request: VenueRequest, { retry = 0, ...options }: ReadOptions): Promise<Completed> {
    const signal = endOf(options);
    for (let left = retry; ; left -= 1) {
      const completed = await perform(request, signal);
      if (completed.outcome.kind !== 'throttled' || left === 0) return completed;
      await sleepUntil(completed.outcome.retryAt, signal);
      if (signal?.aborted === true) return completed;
    }
  }

  const closing = new AbortController();
  /** Wakes at once where the call ends or the client is closed. */
  async function sleepUntil(moment: EpochMs, signal?: AbortSignal): Promise<void> {
    const either = AbortSignal.any(signal === undefined ? [closing.signal] : [closing.signal, signal]);
    await setTimeout(Math.max(0, moment - realClock.now()), undefined, { signal: either }).catch(() => undefined);
  }

  const historyApi = (signal?: AbortSignal): HistoryApi => ({
    ask: (question) => perform({ ...question, stamp: stamper.stamp() }, signal),
    sleepUntil: (moment) => sleepUntil(moment, signal),
  });
  async function close(): Promise<void> {
    closing.abort();
    await Promise.all([lanes.public.stop(), lanes.private.stop()]);
    client.close();
  }

  return {
    ...createExchangeApi({ perform: ask, stamp: stamper.stamp, secrets }),
    ...historiesOf(historyApi, secrets),
    clock: stamper.estimate,
    lanes: () => ({ public: stateOf(lanes.public), private: stateOf(lanes.private) }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const CLOSED = AbortSignal.abort();

/** Aborts when the call is to end; undefined if nothing ends it. */
function endOf({ signal, timeoutMs }: CallOptions): AbortSignal | undefined {
  const timeout = timeoutMs === undefined ? [] : [AbortSignal.timeout(Math.ceil(timeoutMs))];
  return signal === undefined ? timeout[0] : AbortSignal.any([signal, ...timeout]);
}

function stateOf(lane: Lane): LaneState {
  const { waiting, inFlight, intervalMs } = lane.figures();
  return { waiting, inFlight, intervalMs, pausedUntil: lane.pausedUntil() };
}

type Histories = Pick<Exchange, 'spotTrades' | 'sbsTrades' | 'cryptoTransfers' | 'fiatTransfers'>;

function historiesOf(api: (signal?: AbortSignal) => HistoryApi, secrets: readonly string[]): Histories {
  const asked = <Of>(name: keyof Histories, schema: z.ZodType<Of>, of: unknown): Of =>
    checked(schema, of, { name, secrets });
  function read<Row extends { readonly venueTime: EpochMs }, Question extends HistoryQuestion>(
    traits: ListTraits<Row, Question>,
    { from, to }: { readonly from: EpochMs; readonly to?: EpochMs },
    { name, options }: { readonly name: keyof Histories; readonly options: CallOptions | undefined },
  ): History<Row> {
    const ends = checked(OPTIONS.write, options, { name: `${name} options`, secrets }) ?? {};
    const reading = { target: { by: 'between', from, to: to ?? null }, settings: READER } as const;
    const events = readHistory(api(endOf(ends)), traits, reading);
    return Object.assign(events, { collect: () => collected(events) });
  }
  return {
    spotTrades: (of, options) => {
      const { symbol, ...span } = asked('spotTrades', HISTORIES.spotTrades, of);
      return read(spotTrades(symbol), span, { name: 'spotTrades', options });
    },
    sbsTrades: (of, options) => {
      const { symbol, ...span } = asked('sbsTrades', HISTORIES.sbsTrades, of);
      return read(sbsTrades(symbol), span, { name: 'sbsTrades', options });
    },
    cryptoTransfers: (of, options) => {
      const { direction, asset, ...span } = asked('cryptoTransfers', HISTORIES.cryptoTransfers, of);
      return read(cryptoTransfers(direction, asset), span, { name: 'cryptoTransfers', options });
    },
    fiatTransfers: (of, options) => {
      const { direction, ...span } = asked('fiatTransfers', HISTORIES.fiatTransfers, of);
      return read(fiatTransfers(direction), span, { name: 'fiatTransfers', options });
    },
  };
}

/** Secrets that no sentence may show, if any are given. */
const secretsIn = (settings: unknown): readonly string[] =>
  (isObject(settings) ? [settings.apiKey, settings.secret] : []).flatMap((text) =>
    typeof text === 'string' && text !== '' ? [text] : [],
  );

/** The answer, with its waits corrected by the present estimate of the clock. */
function withFacts(completed: Completed, facts: AnswerFacts): Completed {
  const { outcome } = completed;
  const told = outcome.kind === 'throttled' ? { ...outcome, retryAt: retryAt(facts) } : outcome;
  return { ...completed, facts, outcome: told } as Completed;
}

function clientSettingsOf(settings: ExchangeSettings): ClientSettings {
  const { baseUrl, legacyBaseUrl, legacyPaths, timeOffsetsMs, apiKey, secret } = settings;
  const { apiKeyHeader = DIALECT.apiKeyHeader, deadlineMs = 10 * SECOND, openOrdersUncapped = false } = settings;
  return {
    baseUrl,
    ...(legacyBaseUrl !== undefined && { legacyBaseUrl }),
    ...(legacyPaths !== undefined && { legacyPaths }),
    ...(timeOffsetsMs !== undefined && { timeOffsetsMs }),
    dialect: { ...DIALECT, apiKeyHeader, ...(openOrdersUncapped && { openOrdersCaps: [] }) },
    key: new Secret(apiKey),
    secret: new Secret(secret),
    userAgent: 'quotekeeper-client',
    deadlineMs,
  };
}
