// The exchange for your own programs: 26 methods and whole histories, behind two lanes that respect its limits, signed
// by its clock. `docs/client.md` explains its use; the parts are the bot's own.
import type { z } from 'zod';
import type { Fill, SbsTrade } from '../domain/fill.ts';
import type { Asset, InstrumentSymbol } from '../domain/instrument.ts';
import { invariant } from '../domain/invariant.ts';
import { type DurationMs, type EpochMs, SECOND } from '../domain/time.ts';
import type { CryptoTransfer, FiatTransfer, TransferDirection } from '../domain/transfer.ts';
import { cryptoTransfers, fiatTransfers, type HistoryQuestion, sbsTrades, spotTrades } from '../history/lists.ts';
import { type ListTraits, PROVING_HISTORY } from '../history/query.ts';
import { realClock } from '../ports/clock.ts';
import { realRandom } from '../ports/random.ts';
import { DIALECT } from '../venue/dialect.ts';
import { ENDPOINTS } from '../venue/endpoints.ts';
import type { AnswerFacts, Completed } from '../venue/outcomes.ts';
import { isObject } from '../venue/parsers/fields.ts';
import { isThrottled } from '../venue/refusals.ts';
import type { VenueRequest } from '../venue/requests.ts';
import { checked, copied, HISTORIES, SETTINGS } from './asked/arguments.ts';
import type { ClockEstimate } from './clock/server-clock.ts';
import { createStamper, stampOf } from './clock/stamper.ts';
import { createExchangeApi, type ExchangeApi } from './exchange-api.ts';
import { type ClientSettings, createExchangeClient } from './exchange-client.ts';
import { type HistoryApi, type HistoryEvent, type ReaderSettings, readHistory } from './history-reader.ts';
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

/** From `from` to `to` or the present: epoch ms, both included. */
export interface HistorySpan {
  readonly from: EpochMs;
  readonly to?: EpochMs;
}

type History<Row> = AsyncGenerator<HistoryEvent<Row>, void, void>;

/**
 * Each history yields rows as they become known (exact decimals, true times), and ends with the proof: `complete`, or
 * each gap with its reason. It handles pages that shift, repeat or are cut.
 */
export interface Exchange {
  /** Each method sends one request. Failures of the network or the exchange are in the outcome, never thrown. */
  readonly api: ExchangeApi;
  /** The account's executions in a market. */
  spotTrades(of: HistorySpan & { readonly symbol: InstrumentSymbol }): History<Fill>;
  /** Its simple buys and sells of a coin (`COIN/INR`), as far back as the list goes. */
  sbsTrades(of: HistorySpan & { readonly symbol: InstrumentSymbol }): History<SbsTrade>;
  /** Its crypto deposits or withdrawals, of one asset or of all. */
  cryptoTransfers(
    of: HistorySpan & { readonly direction: TransferDirection; readonly asset?: Asset },
  ): History<CryptoTransfer>;
  /** Its INR deposits or withdrawals. */
  fiatTransfers(of: HistorySpan & { readonly direction: TransferDirection }): History<FiatTransfer>;
  /** The exchange's clock against ours, as learned from answers; null before the first. */
  clock(): ClockEstimate | null;
  /** Waits for requests in flight, then closes the connections. Later requests throw. */
  close(): Promise<void>;
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

  async function send(request: VenueRequest): Promise<Completed> {
    // Stamped as it leaves: its turn may come minutes after the call.
    const stamped = 'stamp' in request ? { ...request, stamp: stamper.stamp() } : request;
    const completed = await client.perform(stamped);
    const facts = learnedFacts(stamper, completed);
    laneOf(request).learn(facts, isThrottled(facts.status));
    return withFacts(completed, facts);
  }

  // Whether the exchange counts legacy requests separately is unknown (Q18): they share the public lane.
  const laneOf = ({ kind }: VenueRequest): Lane => lanes[ENDPOINTS[kind].lane === 'private' ? 'private' : 'public'];

  async function perform(request: VenueRequest): Promise<Completed> {
    let known = stamper.estimate() !== null;
    let completed: Completed | null = null;
    let ticket: 'ran' | 'dropped' = 'ran';
    while (completed === null && ticket === 'ran')
      ticket = await laneOf(request).ticket(async () => {
        const answered = await send(request);
        // The first stamp is by our own clock, which may be hours off: its refusal shows the exchange's time.
        if (known || stampOf(answered)?.verdict !== 'refused') completed = answered;
        known = true;
      });
    invariant(completed !== null, `${request.kind} was asked of an exchange that is closed.`);
    return completed;
  }

  const history: HistoryApi = {
    ask: (question) => perform({ ...question, stamp: stamper.stamp() }),
    sleepUntil: (moment) => new Promise((resolve) => setTimeout(resolve, Math.max(0, moment - realClock.now()))),
  };
  return {
    api: createExchangeApi({ perform, stamp: stamper.stamp, secrets }),
    ...historiesOf(history, secrets),
    clock: stamper.estimate,
    close: async () => {
      await Promise.all([lanes.public.stop(), lanes.private.stop()]);
      client.close();
    },
  };
}

type Histories = Pick<Exchange, 'spotTrades' | 'sbsTrades' | 'cryptoTransfers' | 'fiatTransfers'>;

function historiesOf(history: HistoryApi, secrets: readonly string[]): Histories {
  const asked = <Of>(name: keyof Histories, schema: z.ZodType<Of>, of: unknown): Of =>
    checked(schema, of, { name, secrets });
  const read = <Row, Question extends HistoryQuestion>(
    traits: ListTraits<Row, Question>,
    { from, to = null }: { readonly from: EpochMs; readonly to?: EpochMs | null },
  ): History<Row> => readHistory(history, traits, { target: { by: 'between', from, to }, settings: READER });
  return {
    spotTrades: (of) => {
      const { symbol, ...span } = asked('spotTrades', HISTORIES.spotTrades, of);
      return read(spotTrades(symbol), span);
    },
    sbsTrades: (of) => {
      const { symbol, ...span } = asked('sbsTrades', HISTORIES.sbsTrades, of);
      return read(sbsTrades(symbol), span);
    },
    cryptoTransfers: (of) => {
      const { direction, asset, ...span } = asked('cryptoTransfers', HISTORIES.cryptoTransfers, of);
      return read(cryptoTransfers(direction, asset), span);
    },
    fiatTransfers: (of) => {
      const { direction, ...span } = asked('fiatTransfers', HISTORIES.fiatTransfers, of);
      return read(fiatTransfers(direction), span);
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
