// A paper exchange for tests: two markets, two accounts, and a client that signs by the words of the specification.
import { createHmac } from 'node:crypto';
import { decimal } from '../../../src/domain/decimal.ts';
import { answer, collect, createExchange } from '../../../src/paper/exchange.ts';
import type { Answer, CreateInFlight } from '../../../src/paper/state/in-flight.ts';
import type { PaperKey, PaperSettings } from '../../../src/paper/state/settings.ts';
import type { ExchangeState } from '../../../src/paper/state/state.ts';
import type { PaperRequest, PaperResponse } from '../../../src/paper/wire/messages.ts';
import { type Quirks, SPEC_QUIRKS } from '../../../src/paper/wire/quirks.ts';
import { ENDPOINTS } from '../../../src/venue/endpoints.ts';
import type { EndpointName } from '../../../src/venue/requests.ts';
import { stepsAtMost } from '../steps-at-most.ts';

/** A Thursday: `Thu, 01 Jan 2026 00:00:00 GMT`. */
export const START = Date.UTC(2026, 0, 1);

export const ALICE = { apiKey: 'alice-key', secret: 'alice-secret' };
export const BOB = { apiKey: 'bob-key', secret: 'bob-secret' };
export const READER = { apiKey: 'reader-key', secret: 'reader-secret' };
export const BOUND = { apiKey: 'bound-key', secret: 'bound-secret' };

const fullKey = (key: Pick<PaperKey, 'apiKey' | 'secret'>): PaperKey => ({
  ...key,
  permissions: ['wallet', 'orders', 'trades'],
  ipWhitelist: null,
});

export function smallSettings(
  given: { quirks?: Partial<Quirks> } & Partial<Omit<PaperSettings, 'quirks'>> = {},
): PaperSettings {
  const { quirks, ...rest } = given;
  return {
    engine: {
      instruments: [
        {
          symbol: 'BTC/INR',
          base: 'BTC',
          quote: 'INR',
          tickSize: decimal('0.5'),
          lotSize: decimal('0.001'),
          minNotional: decimal('100'),
        },
        {
          symbol: 'ETH/INR',
          base: 'ETH',
          quote: 'INR',
          tickSize: decimal('0.1'),
          lotSize: decimal('0.01'),
          minNotional: decimal('100'),
        },
      ],
      assetDecimals: 8,
      makerFeeRatio: decimal('0.004'),
      takerFeeRatio: decimal('0.005'),
      tdsRatio: decimal('0.01'),
      rounding: 'half-up',
      buyerFeeAsset: 'quote',
      selfTrade: 'allow',
      crossing: 'takes',
      firstOrderNumber: 9_007_199_254_740_993n,
      firstTradeNumber: 9_007_199_254_740_993_001n,
    },
    accounts: [
      {
        name: 'alice',
        keys: [
          fullKey(ALICE),
          { ...READER, permissions: ['wallet'], ipWhitelist: null },
          { ...fullKey(BOUND), ipWhitelist: ['10.0.0.1'] },
        ],
        balances: { INR: decimal('1000000'), BTC: decimal('10') },
      },
      { name: 'bob', keys: [fullKey(BOB)], balances: { INR: decimal('1000000'), BTC: decimal('10') } },
    ],
    crowd: null,
    rateLimits: { public: [], private: [], legacy: [] },
    quirks: { ...SPEC_QUIRKS, ...quirks },
    apiKeyHeader: 'X-EXCHANGE-APIKEY',
    instanceId: 'test-instance',
    ...rest,
  };
}

type Values = Readonly<Record<string, string>>;

/** What a test may set apart from the endpoint. */
export interface RequestOptions {
  readonly query?: Values;
  readonly body?: Values;
  readonly key?: { readonly apiKey: string; readonly secret: string };
  readonly timestamp?: number;
  readonly ip?: string;
}

const canonical = (values: Values): string =>
  Object.keys(values)
    .sort()
    .map((name) => `${name}=${values[name]}`)
    .join('&');

const encoded = (values: Values): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');

/** A request as an honest client makes it, signed where the endpoint wants it. */
export function requestFor(name: EndpointName, options: RequestOptions, now: number): PaperRequest {
  const { method, path, signed, body: takesBody } = ENDPOINTS[name];
  const body = takesBody === null ? null : (options.body ?? {});
  const { apiKey, secret } = options.key ?? ALICE;
  const query = { ...options.query, ...(signed ? { timestamp: String(options.timestamp ?? now) } : {}) };
  const text = canonical(query) + canonical(body ?? {});
  const signature = createHmac('sha256', secret).update(text).digest('hex');
  return {
    method,
    path,
    query: encoded(signed ? { ...query, signature } : query),
    headers: {
      ...(signed ? { 'x-exchange-apikey': apiKey } : {}),
      ...(body === null ? {} : { 'content-type': 'application/json' }),
    },
    body: body === null ? null : JSON.stringify(body),
    ip: options.ip ?? '127.0.0.1',
  };
}

/** An exchange, and a hand on its clock. */
export class SmallExchange {
  state: ExchangeState;
  now = START;

  constructor(settings: PaperSettings = smallSettings()) {
    this.state = createExchange(settings, START);
  }

  /** Sends bytes as they are; where the answer comes later, the clock goes on until it does. */
  send(request: PaperRequest): PaperResponse {
    let given = this.begin(request);
    const step = stepsAtMost();
    while (given.kind === 'later') {
      step();
      this.now = Math.max(this.now, given.dueAt);
      given = this.collect(given.create);
    }
    return given.response;
  }

  /** Sends bytes and does not wait. */
  begin(request: PaperRequest): Answer {
    return answer(this.state, request, this.now);
  }

  collect(create: CreateInFlight): Answer {
    return collect(this.state, create, this.now);
  }

  ask(name: EndpointName, options: RequestOptions = {}): PaperResponse {
    return this.send(requestFor(name, options, this.now));
  }

  /** The body of a 200, parsed. */
  read(name: EndpointName, options: RequestOptions = {}): unknown {
    const { status, body } = this.ask(name, options);
    if (status !== 200) throw new Error(`${name} answered ${status} ${body}.`);
    return JSON.parse(body);
  }

  /** Places `BUY 0.010 @ 5000.5 BTC/INR` and returns its id. */
  place(order: string, key: RequestOptions['key'] = ALICE): string {
    const { body } = this.ask('create', { body: orderBody(order), key });
    const id = /"order_id":"([^"]+)"/.exec(body)?.[1];
    if (id === undefined) throw new Error(`${order} was answered with ${body}.`);
    return id;
  }
}

/** `BUY 0.010 @ 5000.5 BTC/INR` as the body of a create. */
export function orderBody(order: string): Values {
  const [action = '', quantity = '', , price = '', symbol = 'BTC/INR'] = order.split(' ');
  return { symbol, action, type: 'LIMIT', price, quantity };
}

/** `429 -1003`, or `200` for what is no error. */
export function verdict({ status, body }: PaperResponse): string {
  const parsed: unknown = JSON.parse(body);
  const code = typeof parsed === 'object' && parsed !== null && 'code' in parsed ? ` ${String(parsed.code)}` : '';
  return `${status}${code}`;
}
