// Where client and paper exchange meet: a real server, clients over real sockets, a clock that can be moved, a crowd
// that does what it is told, and an eye on every secret.
import { afterEach, expect } from '@jest/globals';
import { pino } from 'pino';
import { type ClientSettings, createExchangeClient } from '../../src/client/exchange-client.ts';
import { createGotTransport } from '../../src/client/transport/got-transport.ts';
import { Secret } from '../../src/client/wire/secret.ts';
import type { DurationMs } from '../../src/domain/time.ts';
import type { EngineSettings } from '../../src/matching/types.ts';
import type { Truth } from '../../src/paper/control/truth.ts';
import { addRule, faultOrderSchema, NO_DELIVERY_RULES } from '../../src/paper/delivery/delivery.ts';
import { type PaperServer, startPaperServer } from '../../src/paper/server/server.ts';
import type { PaperSettings } from '../../src/paper/state/settings.ts';
import type { Controls } from '../../src/paper/state/state.ts';
import { INDIA_OFFSET_MS, type Quirks, SPEC_QUIRKS } from '../../src/paper/wire/quirks.ts';
import { type Clock, realClock } from '../../src/ports/clock.ts';
import type { HttpRequest, Transport } from '../../src/ports/transport.ts';
import { DIALECT } from '../../src/venue/dialect.ts';
import { RECV_WINDOW_MAX_MS } from '../../src/venue/endpoints.ts';
import { PaperClient } from './client-paper-client.ts';
import { type PromptedCrowd, promptedCrowd } from './client-paper-crowd.ts';
import { ACCOUNTS, ALICE, API_KEY_HEADER, ENGINE, type KeyPair, SECRETS } from './client-paper-market.ts';
import { type Owner, ownerAt } from './client-paper-owner.ts';
import { send } from './paper-connection.ts';

/** Lets requests be answered with a documented code: all, or those that match, after some, so many times. */
export function failing(code: number, more: object = {}): Pick<Controls, 'delivery'> {
  const { skip = 0, times = null, processed = false, ...match }: Record<string, unknown> = { ...more };
  const order = faultOrderSchema.parse({ match, skip, times, fault: { kind: 'code', code, processed } });
  return { delivery: addRule(NO_DELIVERY_RULES, order) };
}

/** The machine's clock, and a hand on it: lags and windows pass without waiting. */
export class MovableClock implements Clock {
  #shift: DurationMs = 0;

  now(): number {
    return realClock.now() + this.#shift;
  }

  monotonic(): number {
    return realClock.monotonic() + this.#shift;
  }

  skip(ms: DurationMs): void {
    this.#shift += ms;
  }
}

export interface MeetingOptions {
  readonly quirks?: Partial<Quirks>;
  readonly engine?: Partial<EngineSettings>;
  readonly rateLimits?: Partial<PaperSettings['rateLimits']>;
  /** Opens the control interface, by which `owner` acts. */
  readonly withOwner?: boolean;
}

export interface ClientOptions {
  readonly key?: KeyPair;
  readonly settings?: Partial<ClientSettings>;
  /** For how long a request may be on its way; for as long as the exchange takes where nothing else is asked for. */
  readonly recvWindowMs?: DurationMs;
  /** What happens to a request between the client and its socket. */
  readonly tamper?: (request: HttpRequest) => HttpRequest;
}

/** One server, and the clients that are made for it. */
export interface Meeting {
  readonly url: string;
  readonly instanceId: string;
  readonly crowd: PromptedCrowd;
  /** Of server and clients. */
  readonly clock: MovableClock;
  /** Every answer as it came off the socket. */
  readonly heard: readonly string[];
  client(options?: ClientOptions): PaperClient;
  /** Of a meeting `withOwner`. */
  owner(): Owner;
  /** Maintenance and quirks, while the server runs. */
  readonly control: PaperServer['control'];
  /** Accounts and orders as the exchange itself knows them. */
  truth(): Promise<Truth>;
  skip(ms: DurationMs): void;
}

/**
 * Call once per test file: what it starts is closed after each test, and then no secret may be in any log or answer.
 */
export function paperKit(): { meet(options?: MeetingOptions): Promise<Meeting> } {
  const closers: (() => unknown)[] = [];
  const texts: string[][] = [];
  const signatures = new Set<string>();
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
    for (const lines of texts.splice(0)) expectNoSecret(lines.join('\n'), signatures);
    signatures.clear();
  });
  const closing = (close: () => unknown): void => void closers.push(close);

  async function meet(options: MeetingOptions = {}): Promise<Meeting> {
    const [lines, heard]: [string[], string[]] = [[], []];
    texts.push(lines, heard);
    const crowd = promptedCrowd();
    const settings = paperSettings(options, crowd);
    const clock = new MovableClock();
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    const server = await startPaperServer({
      ...{ settings, port: 0, host: '127.0.0.1', clock, log, stateFile: null },
      ...(options.withOwner && { controlPort: 0 }),
    });
    closing(() => server.close());
    const client = (given: ClientOptions = {}): PaperClient => {
      const transport = watched(createGotTransport({ baseUrls: [server.url] }, clock), {
        tamper: given.tamper,
        signatures,
        heard,
      });
      const venue = createExchangeClient({
        settings: { ...clientSettings(server.url, settings, given.key ?? ALICE), ...given.settings },
        transport,
        clock,
      });
      closing(() => venue.close());
      return new PaperClient({
        ...{
          venue,
          clock,
          recvWindowMs: given.recvWindowMs ?? RECV_WINDOW_MAX_MS,
        },
        expectNoSecret: (text) => expectNoSecret(text, signatures),
      });
    };
    return {
      url: server.url,
      instanceId: server.instanceId,
      crowd,
      clock,
      heard,
      client,
      control: server.control,
      owner: () => {
        if (server.controlUrl === null) throw new Error('This meeting has no owner.');
        return ownerAt(server.controlUrl);
      },
      truth: async () => JSON.parse((await send(server.url, { method: 'GET', target: TRUTH })).body),
      skip: (ms) => clock.skip(ms),
    };
  }
  return { meet };
}

const TRUTH = '/paper/truth?others=true&fills=true';

function paperSettings(options: MeetingOptions, crowd: PromptedCrowd): Omit<PaperSettings, 'instanceId'> {
  return {
    engine: { ...ENGINE, ...options.engine },
    accounts: ACCOUNTS,
    crowd,
    rateLimits: { public: [], private: [], legacy: [], ...options.rateLimits },
    quirks: { ...SPEC_QUIRKS, ...options.quirks },
    apiKeyHeader: API_KEY_HEADER,
  };
}

/** A client that agrees with the server on what is signed. */
function clientSettings(
  baseUrl: string,
  { quirks, apiKeyHeader }: Pick<PaperSettings, 'quirks' | 'apiKeyHeader'>,
  { apiKey, secret }: KeyPair,
): ClientSettings {
  return {
    baseUrl,
    legacyBaseUrl: baseUrl,
    legacyPaths: quirks.legacyPaths === 'sample' ? 'sample' : 'versioned',
    dialect: {
      ...DIALECT,
      apiKeyHeader,
      emptyValues: quirks.emptyValues === 'skipped' ? 'skip' : 'include',
      percentEncoding: quirks.signedValues === 'raw' ? 'raw' : 'encoded',
    },
    key: new Secret(apiKey),
    secret: new Secret(secret),
    timeOffsetsMs: {
      'public-trades': quirks.publicTradeOffsetMs,
      'legacy-trades': quirks.legacyTradeZone === 'UTC' ? 0 : INDIA_OFFSET_MS,
    },
    deadlineMs: 120_000,
    userAgent: 'quotekeeper/contract',
  };
}

interface Watch {
  readonly tamper: ClientOptions['tamper'];
  readonly signatures: Set<string>;
  readonly heard: string[];
}

/** Remembers every signature that goes out, and every answer as it came in, before the client has seen it. */
function watched(transport: Transport, { tamper, signatures, heard }: Watch): Transport {
  return {
    send: async (request) => {
      const sent = tamper?.(request) ?? request;
      const signature = /signature=([^&]+)/i.exec(sent.url)?.[1];
      if (signature !== undefined) signatures.add(signature);
      const result = await transport.send(sent);
      heard.push(JSON.stringify(result));
      return result;
    },
    close: () => transport.close(),
  };
}

function expectNoSecret(text: string, signatures: ReadonlySet<string>): void {
  expect([...SECRETS, ...signatures].filter((secret) => text.includes(secret))).toEqual([]);
}
