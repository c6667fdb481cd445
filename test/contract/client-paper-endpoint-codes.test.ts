// Every code that an endpoint can answer with, by the contract's own list: brought about over the socket by a request
// where a request can, by the controls where none can, and seen by the client for what it is.
import { expect, test } from '@jest/globals';
import type { Controls } from '../../src/paper/state/state.ts';
import type { FailureRule } from '../../src/paper/wire/rate-limit.ts';
import { codesOf, parametersOf } from '../../src/venue/endpoint-parameters.ts';
import { ENDPOINTS, type Endpoint } from '../../src/venue/endpoints.ts';
import { ERROR_CODES } from '../../src/venue/error-codes.ts';
import { type ClientOptions, type Meeting, paperKit } from './client-paper-kit.ts';
import { ALICE, ELSEWHERE, HERE, keyWithout, STRANGER } from './client-paper-market.ts';
import { goodRequest } from './client-paper-requests.ts';
import { type Tamper, withFields, withQuery, withUrl } from './client-paper-tamper.ts';
import { verdictOf, wantedOf } from './client-paper-words.ts';

const kit = paperKit();

/** What must be different for a good request to be answered with a code. */
interface Way {
  readonly controls?: Partial<Controls>;
  readonly client?: ClientOptions;
  /** Values in place of the good ones, in query or body, wherever the endpoint has them; `null` leaves one out. */
  readonly values?: Readonly<Record<string, string | null>>;
}

const byOrder = (code: number): Way => ({ controls: { failures: [failure(code)] } });
const failure = (code: number): FailureRule => ({ endpoint: null, code, skip: 0, times: 1, processed: false });
const tampered = (tamper: Tamper): Way => ({ client: { tamper } });
const ofValues = (values: Way['values'] & {}): Way => ({ values });

const WAYS: Readonly<Record<number, (endpoint: Endpoint) => Way>> = {
  [-1125]: () => ({ controls: { maintenance: true } }),
  [-1404]: ({ name }) => ({ controls: { disabledEndpoints: [name] } }),
  [-1000]: () => byOrder(-1000),
  [-1003]: ({ lane }) => ({ controls: { rateLimits: { ...NO_LIMITS, [lane]: [{ requests: 1, perMs: 60_000 }] } } }),
  [-1009]: () => tampered(withUrl((url) => `${url}${url.includes('?') ? '&' : '?'}x=%zz`)),
  [-4001]: () => byOrder(-4001),
  [-1001]: () => ({ client: { settings: { apiKeyHeader: 'X-OTHER' } } }),
  [-1015]: () => ({ client: { key: ELSEWHERE } }),
  [-1021]: () => tampered(withQuery({ timestamp: '1000' })),
  [-1022]: () => ({ client: { key: { ...HERE, secret: STRANGER.secret } } }),
  [-1023]: () => tampered(withQuery({ recvWindow: '0' })),
  [-1106]: () => tampered(withQuery({ timestamp: 'soon' })),
  [-2003]: ({ permission = 'wallet' }) => ({ client: { key: keyWithout(permission) } }),
  [-2004]: () => ({ controls: { unidentifiedKeys: [ALICE.apiKey] } }),
  [-2015]: () => ({ client: { key: STRANGER } }),
  [-3000]: () => byOrder(-3000),
  [-1102]: () => ofValues({ order_id: null }),
  [-1103]: () => ofValues({ symbol: null }),
  [-1104]: () => ofValues({ limit: 'ten' }),
  [-1105]: () => ofValues({ limit: '51' }),
  [-1107]: () => ofValues({ startTime: '2', endTime: '1' }),
  [-1108]: () => ofValues({ status: 'LOST' }),
  [-1109]: () => ofValues({ orderId: '1-1-1', fromId: '1' }),
  [-1111]: () => ofValues({ asset: 'b t c' }),
  [-1112]: () => ofValues({ action: 'HOLD' }),
  [-1113]: () => ofValues({ type: 'MARKET' }),
  [-1114]: () => ofValues({ price: '0' }),
  [-1115]: () => ofValues({ quantity: '0' }),
  [-1121]: () => ofValues({ symbol: 'XRP/INR' }),
  [-1122]: () => ofValues({ asset: 'XRP' }),
  [-1123]: () => ofValues({ symbol: 'btcinr' }),
  [-1124]: () => ofValues({ order_id: 'x', orderId: 'x' }),
};
const NO_LIMITS: Controls['rateLimits'] = { public: [], private: [], legacy: [] };

/** The endpoint's own failure, where nothing else is said. */
const wayTo = (code: number, endpoint: Endpoint): Way => WAYS[code]?.(endpoint) ?? byOrder(code);

/** Puts only the values that the endpoint has, where it has them. */
function valuesAt(endpoint: Endpoint, values: Way['values'] & {}): Tamper {
  const part = (where: 'query' | 'body') => {
    const names = parametersOf(endpoint).filter((each) => each.in === where);
    return Object.fromEntries(names.flatMap(({ name }) => (name in values ? [[name, values[name] ?? null]] : [])));
  };
  return endpoint.body === null ? withQuery(part('query')) : withFields(part('body'));
}

/** Status and code as they came off the socket, and what the client made of them. */
async function seen(meeting: Meeting, endpoint: Endpoint, way: Way): Promise<string> {
  const tamper = way.values && valuesAt(endpoint, way.values);
  const client = meeting.client({ ...way.client, ...(tamper && { tamper }) });
  meeting.control({ ...ALL_WELL, ...way.controls });
  if (way.controls?.rateLimits) await client.perform(goodRequest(endpoint.name, client.stamp()));
  const verdict = verdictOf(await client.perform(goodRequest(endpoint.name, client.stamp())));
  const { status, body } = JSON.parse(meeting.heard.at(-1) ?? '{}');
  meeting.control(ALL_WELL);
  return `${status} ${JSON.parse(body).code} → ${verdict}`;
}
const ALL_WELL: Partial<Controls> = {
  maintenance: false,
  disabledEndpoints: [],
  unidentifiedKeys: [],
  failures: [],
  rateLimits: NO_LIMITS,
};

const current = Object.values(ENDPOINTS).filter((endpoint) => endpoint.interface === 'current');

test.each(current.map((endpoint) => [endpoint.name, endpoint] as const))(
  '%s: each of its codes',
  async (_name, endpoint) => {
    const meeting = await kit.meet();
    const rows = ERROR_CODES.filter(({ code }) => codesOf(endpoint).includes(code));
    const [got, wanted]: [string[], string[]] = [[], []];
    for (const row of rows) {
      got.push(await seen(meeting, endpoint, wayTo(row.code, endpoint)));
      wanted.push(`${row.status} ${row.code} → ${wantedOf(endpoint.name, row)}`);
    }
    expect(rows).toHaveLength(codesOf(endpoint).length);
    expect(got).toEqual(wanted);
    // After all of them the exchange answers as before.
    const client = meeting.client();
    expect((await client.perform(goodRequest(endpoint.name, client.stamp()))).facts.status).toBe(
      endpoint.name === 'cancel' ? 500 : 200,
    );
  },
);
