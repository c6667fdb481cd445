// Requests that somebody might send: right ones, nearly right ones, and anything else that is HTTP.
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { type RandomStream, uniform } from '../../src/crowd/random.ts';
import type { Quirks } from '../../src/paper/wire/quirks.ts';
import { parametersOf } from '../../src/venue/endpoint-parameters.ts';
import { ENDPOINTS } from '../../src/venue/endpoints.ts';
import type { EndpointName } from '../../src/venue/requests.ts';
import {
  ALICE,
  API_KEY_HEADER,
  BOB,
  ELSEWHERE,
  FIRST_ORDER,
  FIRST_TRADE,
  READER,
  STRANGER,
} from './client-paper-market.ts';

/** A request as bytes, and the endpoint that it is meant for; `null` for an address that is none. */
export interface FuzzRequest {
  readonly endpoint: EndpointName | null;
  readonly bytes: Buffer;
}

/** Odd things, drawn once by fast-check: picking one is cheap. */
interface Pools {
  readonly texts: readonly string[];
  readonly bodies: readonly string[];
  readonly headers: readonly string[];
}

export function poolsOf(seed: number): Pools {
  const text = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.constantFrom(
      '',
      ' ',
      '0',
      '-1',
      '1e5',
      'null',
      '[]',
      'NaN',
      '../..',
      "' OR 1=1",
      '\u0000',
      '__proto__',
      'constructor',
    ),
    fc.double().map(String),
    fc.bigInt().map(String),
  );
  const body = fc.oneof(
    fc.json(),
    text,
    fc.dictionary(text, fc.jsonValue()).map((value) => JSON.stringify(value)),
  );
  const visible = fc.string({
    unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
    maxLength: 40,
  });
  const named = fc.tuple(
    fc.constantFrom('x-any', 'accept', 'cookie', 'content-type', 'x-exchange-apikey', 'origin', 'range', 'date'),
    visible,
  );
  const samples = { numRuns: 1_000, seed };
  return {
    texts: fc.sample(text, samples).map((value) => value.toWellFormed()),
    bodies: fc.sample(body, samples).map((value) => value.toWellFormed()),
    headers: fc.sample(named, samples).map(([name, value]) => `${name}: ${value.trim()}`),
  };
}

type Values = Record<string, string>;

const NAMES = Object.values(ENDPOINTS).map(({ name }) => name);
const PARAMETERS = new Map(Object.values(ENDPOINTS).map((endpoint) => [endpoint.name, parametersOf(endpoint)]));
const KEYS = [ALICE, ALICE, ALICE, BOB, BOB, BOB, READER];
const MISFITS = [ELSEWHERE, STRANGER, { ...ALICE, secret: STRANGER.secret }];
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND', 'TRACE'];

/** Draws requests from a stream; the same stream and clock give the same ones. */
export class RequestSource {
  readonly #pools: Pools;
  readonly #stream: RandomStream;
  readonly #now: () => number;

  constructor(pools: Pools, stream: RandomStream, now: () => number) {
    this.#pools = pools;
    this.#stream = stream;
    this.#now = now;
  }

  next(quirks: Quirks): FuzzRequest {
    const luck = uniform(this.#stream);
    return luck < 0.75 ? this.#honest(quirks, luck < 0.6) : this.#wild();
  }

  /** Bytes that are hardly HTTP, for a connection of their own. */
  malformed(): Buffer {
    const { bytes } = this.#wild();
    const at = this.#below(bytes.length);
    const luck = this.#below(4);
    if (luck === 0) return bytes.subarray(0, at);
    if (luck === 1)
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(this.#one(this.#pools.texts)), bytes.subarray(at)]);
    const broken = Buffer.from(bytes);
    broken[at] = this.#below(256);
    return luck === 2 ? broken : Buffer.from(`${this.#one(this.#pools.texts)}\r\n\r\n`);
  }

  /** Signed right, with values that are mostly possible; where not `whole`, one thing about it is wrong. */
  #honest(quirks: Quirks, whole: boolean): FuzzRequest {
    const endpoint = ENDPOINTS[uniform(this.#stream) < 0.4 ? 'create' : this.#one(NAMES)];
    const [query, body]: [Values, Values] = [{}, {}];
    for (const { name, in: where, required } of PARAMETERS.get(endpoint.name) ?? []) {
      const chance = required ? 0.98 : 0.25;
      if (uniform(this.#stream) < chance) (where === 'query' ? query : body)[name] = this.#value(name);
    }
    if (endpoint.signed) {
      query.timestamp = String(this.#now());
      if (uniform(this.#stream) < 0.5) query.recvWindow = '5000';
    }
    const key = whole || this.#below(3) > 0 ? this.#one(KEYS) : this.#one(MISFITS);
    if (!whole) this.#spoil(query, body);
    const given = endpoint.body === null ? null : JSON.stringify(body);
    const signed = canonical(query, quirks, true) + (given === null ? '' : canonical(body, quirks, false));
    const signature = createHmac('sha256', key.secret).update(signed).digest('hex');
    const pairs = Object.entries(endpoint.signed ? { ...query, signature } : query);
    const search = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
    const headers = [
      ...(endpoint.signed ? [`${API_KEY_HEADER}: ${key.apiKey}`] : []),
      ...(given === null ? [] : ['Content-Type: application/json']),
    ];
    const path = search === '' ? endpoint.path : `${endpoint.path}?${search}`;
    return { endpoint: endpoint.name, bytes: bytesOf(`${endpoint.method} ${path}`, headers, given) };
  }

  #spoil(query: Values, body: Values): void {
    const values = uniform(this.#stream) < 0.5 ? query : body;
    const name = this.#one([...Object.keys(values), 'limit']);
    const luck = this.#below(4);
    if (luck === 0) delete values[name];
    else if (luck === 1) values[this.#one(this.#pools.texts)] = 'more';
    else values[name] = this.#one(this.#pools.texts);
  }

  /** Mostly what the parameter takes. */
  #value(name: string): string {
    if (uniform(this.#stream) < 0.04) return this.#one(this.#pools.texts);
    const possible = POSSIBLE[name];
    return possible === undefined ? 'x' : possible((most) => this.#below(most), this.#now());
  }

  #wild(): FuzzRequest {
    const known = ENDPOINTS[this.#one(NAMES)];
    const { texts, headers, bodies } = this.#pools;
    const paths = [
      known.path,
      known.path,
      `${known.path}/`,
      `/${known.path}`,
      known.path.toUpperCase(),
      `/${encodeURIComponent(this.#one(texts))}`,
      '/',
      '/paper/health',
      '/api/../api/v1/wallet',
      `${known.path};x`,
    ];
    const path = this.#one(paths);
    const method = this.#below(3) === 0 ? this.#one(METHODS) : known.method;
    const odd = this.#one(texts).replace(/[^\x21-\x7e]/g, '%');
    const search = this.#one([
      '',
      '',
      `?${odd}`,
      `?symbol=${odd}&limit=${this.#one(texts).replace(/[^\x21-\x7e]/g, '')}`,
      '?&&==&a',
      '?%',
      '?symbol=BTC/INR',
    ]);
    const some = Array.from({ length: this.#below(5) }, () => this.#one(headers));
    const body =
      method === 'GET'
        ? null
        : this.#below(100) === 0
          ? 'x'.repeat(60_000)
          : this.#one([null, this.#one(bodies), '{}']);
    const isKnown = path === known.path && method === known.method;
    return { endpoint: isKnown ? known.name : null, bytes: bytesOf(`${method} ${path}${search}`, some, body) };
  }

  #below(most: number): number {
    return Math.floor(uniform(this.#stream) * most);
  }

  #one<T>(list: readonly T[]): T {
    const one = list[this.#below(list.length)];
    if (one === undefined) throw new Error('There is nothing to choose from.');
    return one;
  }
}

function bytesOf(line: string, headers: readonly string[], body: string | null): Buffer {
  const bytes = body === null ? Buffer.alloc(0) : Buffer.from(body);
  const all = ['Host: x', ...headers, ...(body === null ? [] : [`Content-Length: ${bytes.length}`])];
  return Buffer.concat([Buffer.from(`${line} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
}

/** Specification 5.4, once more; sorted by code units, as all texts here are. */
function canonical(values: Values, { emptyValues, signedValues }: Quirks, isQuery: boolean): string {
  const encode = (text: string) => encodeURIComponent(text).replaceAll("'", '%27');
  return Object.keys(values)
    .filter((name) => name.toLowerCase() !== 'signature' && (values[name] !== '' || emptyValues === 'included'))
    .sort()
    .map((name) => `${name}=${isQuery && signedValues !== 'raw' ? encode(values[name] ?? '') : values[name]}`)
    .join('&');
}

type Possible = (below: (most: number) => number, now: number) => string;
const among =
  (...texts: readonly string[]): Possible =>
  (below) =>
    texts[below(texts.length)] ?? '';
/** Within two days of now, on either side of it. */
const moment: Possible = (below, now) => String(now - 86_400_000 + below(2 * 86_400_000));

const POSSIBLE: Readonly<Record<string, Possible>> = {
  symbol: among('BTC/INR', 'BTC/INR', 'BTC/INR', 'ETH/INR', 'ETH/BTC', 'XRP/INR', 'btc/inr', ''),
  market: among('btcinr', 'ethinr', 'ethbtc', 'xrpinr', ''),
  asset: among('BTC', 'INR', 'ETH', 'XRP', 'b'),
  status: among('SUCCESS', 'PENDING', 'FAILED', 'REJECTED', 'LOST'),
  limit: among('1', '20', '50', '51', '0', '1.5', 'x'),
  action: among('BUY', 'SELL', 'BUY', 'SELL', 'BUY', 'SELL', 'hold'),
  type: among('LIMIT', 'LIMIT', 'LIMIT', 'LIMIT', 'LIMIT', 'LIMIT', 'MARKET'),
  price: (below) => (499_999_000 + below(2_000)).toString().replace(/(..)$/, '.$1'),
  quantity: (below) => `0.00${String(1 + below(400)).padStart(3, '0')}`,
  order_id: (below) => `1-${FIRST_ORDER + BigInt(below(20_000))}-1`,
  orderId: (below) => `1-${FIRST_ORDER + BigInt(below(20_000))}-1`,
  fromId: (below) => String(FIRST_TRADE + BigInt(below(5_000))),
  startTime: moment,
  endTime: moment,
  omitZeroBalances: among('true', 'false', 'maybe'),
};
