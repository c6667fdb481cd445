// The exchange for your own programs: 26 methods and whole histories, behind two lanes that respect its limits, signed
// by its clock. `docs/client.md` explains its use; the parts are the bot's own.
import type { z } from 'zod';
import type { Fill, SbsTrade } from '../domain/fill.ts';
import type { Asset, InstrumentSymbol } from '../domain/instrument.ts';
import { type DurationMs, type EpochMs, SECOND } from '../domain/time.ts';
import type { CryptoTransfer, FiatTransfer, TransferDirection } from '../domain/transfer.ts';
import { cryptoTransfers, fiatTransfers, type HistoryQuestion, sbsTrades, spotTrades } from '../history/lists.ts';
import type { HistoryOutcome } from '../history/outcome.ts';
import { type ListTraits, PROVING_HISTORY } from '../history/query.ts';
import { realClock } from '../ports/clock.ts';
import { DIALECT } from '../venue/dialect.ts';
import { isObject } from '../venue/parsers/fields.ts';
import { checked, copied, HISTORIES, type Moment, OPTIONS, SETTINGS } from './asked/arguments.ts';
import { createCalls, endOf, type Lanes } from './calls.ts';
import type { ClockEstimate } from './clock/server-clock.ts';
import { createStamper } from './clock/stamper.ts';
import { type CallOptions, createExchangeApi, type ExchangeApi, type FirstPages } from './exchange-api.ts';
import { type ClientSettings, createExchangeClient } from './exchange-client.ts';
import { collected, type History, type HistoryApi, type ReaderSettings, readHistory } from './history-reader.ts';
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
  lanes(): Lanes;
  /**
   * Ends the calls that wait for their turn, as their `signal` would; waits for requests in flight, then closes the
   * connections. Later calls end at once in the same way. Never rejects.
   */
  close(): Promise<void>;
  /** `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

const CAUTIOUS_RATES = { public: 0.4, private: 1 };
const READER: ReaderSettings = { ...PROVING_HISTORY, attempts: 3, mostThrottled: 20 };

/** Sends nothing yet. Throws for an invalid setting, such as a `baseUrl` that is neither https nor local. */
export function openExchange(given: ExchangeSettings): Exchange {
  const own = copied(given);
  const secrets = secretsIn(own);
  const settings = checked(SETTINGS, own, { name: 'openExchange', secrets });
  const { recvWindowMs = 2_500, requestsPerSecond = CAUTIOUS_RATES } = settings;
  const { baseUrl, legacyBaseUrl } = settings;
  const baseUrls = legacyBaseUrl === undefined ? [baseUrl] : [baseUrl, legacyBaseUrl];
  const transport = createGotTransport({ baseUrls }, realClock);
  const client = createExchangeClient({ settings: clientSettingsOf(settings), transport, clock: realClock });
  const stamper = createStamper(realClock, recvWindowMs);
  const calls = createCalls(client, { stamper, requestsPerSecond });
  const historyApi = (options: CallOptions): HistoryApi => {
    const signal = endOf(options);
    return {
      ask: (question) => calls.askOnce({ ...question, stamp: stamper.stamp() }, signal),
      sleepUntil: (moment) => calls.sleepUntil(moment, signal),
    };
  };
  return {
    ...createExchangeApi({ perform: calls.ask, stamp: stamper.stamp, secrets }),
    ...historiesOf(historyApi, secrets),
    clock: stamper.estimate,
    lanes: calls.lanes,
    close: calls.close,
    [Symbol.asyncDispose]: calls.close,
  };
}

type Histories = Pick<Exchange, 'spotTrades' | 'sbsTrades' | 'cryptoTransfers' | 'fiatTransfers'>;

function historiesOf(api: (options: CallOptions) => HistoryApi, secrets: readonly string[]): Histories {
  const asked = <Of>(name: keyof Histories, schema: z.ZodType<Of>, of: unknown): Of =>
    checked(schema, of, { name, secrets });
  function read<Row extends { readonly venueTime: EpochMs }, Question extends HistoryQuestion>(
    traits: ListTraits<Row, Question>,
    { from, to }: { readonly from: EpochMs; readonly to?: EpochMs },
    { name, options }: { readonly name: keyof Histories; readonly options: CallOptions | undefined },
  ): History<Row> {
    const ends = checked(OPTIONS.call, options, { name: `${name} options`, secrets }) ?? {};
    const reading = { target: { by: 'between', from, to: to ?? null }, settings: READER } as const;
    const events = readHistory(api(ends), traits, reading);
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
