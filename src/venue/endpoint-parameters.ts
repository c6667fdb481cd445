// The parameters of an endpoint as a list: place, whether required, and allowed values.
import { z } from 'zod';
import { ERROR_CODES } from './dialect.ts';
import { spotTradesQuery } from './endpoint-shapes.ts';
import type { Endpoint } from './endpoints.ts';

/** JSON Schema of draft 2020-12 for one value. */
type ValueSchema = Readonly<Record<string, unknown>>;

export interface EndpointParameter {
  readonly name: string;
  /** Parameter of the query, or field of the JSON body. */
  readonly in: 'query' | 'body';
  readonly required: boolean;
  /** In the specification's own type: a number in the query is a number here, though the wire carries its digits. */
  readonly schema: ValueSchema;
}

/** In the specification's order, without the common parameters of signed requests. */
export const parametersOf = (endpoint: Endpoint): readonly EndpointParameter[] =>
  (['query', 'body'] as const).flatMap((part) => {
    const { properties = {}, required = [] } = z.toJSONSchema(endpoint[part] ?? z.object({}), { io: 'input' });
    return Object.entries(properties).map(([name, wire]) => {
      return { name, in: part, required: required.includes(name), schema: typeof wire === 'object' ? wire : {} };
    });
  });

// The error codes that an endpoint can return, from its row: the specification lists codes, but not per endpoint.

/** Before any parameter is read: maintenance, disabled, not processed, too many, not routed, internal. */
const ANY_REQUEST = [-1125, -1404, -1000, -1003, -1009, -4001];
/** Credentials, address, signature, stamp, account (§5.3). */
const SIGNED_REQUEST = [-1001, -1015, -1021, -1022, -1023, -1106, -2004, -2015, -3000];
const NOT_PERMITTED = -2003;

/** An invalid value. `omitZeroBalances`, `fromId` and `market` have no code of their own. */
const WRONG_VALUE: Readonly<Record<string, readonly number[]>> = {
  symbol: [-1123, -1121],
  asset: [-1111, -1122],
  order_id: [-1124],
  orderId: [-1124],
  limit: [-1104, -1105],
  status: [-1108],
  startTime: [-1107],
  endTime: [-1107],
  action: [-1112],
  type: [-1113],
  price: [-1114],
  quantity: [-1115],
};
/** A missing value. The other required fields get the code of an invalid value. */
const MISSING: Readonly<Record<string, number>> = { symbol: -1103, order_id: -1102 };
/** Only the spot trade lists have a rule on parameter combinations (§4.3). */
const NOT_TOGETHER = -1109;

/**
 * The codes that an endpoint can return, in the order of the specification's table; none for the legacy interface,
 * which has only HTTP statuses (`LEGACY_STATUSES`).
 */
export function codesOf(endpoint: Endpoint): readonly number[] {
  if (endpoint.interface === 'legacy') return [];
  const possible = new Set([...ANY_REQUEST, ...gateCodes(endpoint), ...parameterCodes(endpoint)]);
  if (endpoint.failureCode !== null) possible.add(endpoint.failureCode);
  return ERROR_CODES.map(({ code }) => code).filter((code) => possible.has(code));
}

function gateCodes({ signed, permission }: Endpoint): readonly number[] {
  return [...(signed ? SIGNED_REQUEST : []), ...(permission === undefined ? [] : [NOT_PERMITTED])];
}

function parameterCodes(endpoint: Endpoint): readonly number[] {
  const own = parametersOf(endpoint).flatMap(({ name, required }) => {
    const missing = required ? MISSING[name] : undefined;
    return [...(WRONG_VALUE[name] ?? []), ...(missing === undefined ? [] : [missing])];
  });
  return endpoint.query === spotTradesQuery ? [...own, NOT_TOGETHER] : own;
}
