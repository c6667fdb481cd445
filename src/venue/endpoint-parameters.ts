// The parameters of an endpoint as a list: where each one stands, whether it must, and what it may be.
import { z } from 'zod';
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from './bounds.ts';
import type { Endpoint } from './endpoint.ts';
import type { EndpointName } from './requests.ts';

/** JSON Schema of draft 2020-12 for one value. */
export type ValueSchema = Readonly<Record<string, unknown>>;

export interface EndpointParameter {
  readonly name: string;
  /** Parameter of the query, or field of the JSON body. */
  readonly in: 'query' | 'body';
  readonly required: boolean;
  /** Of the specification's own type: a number of the query is a number here, though the wire carries its digits. */
  readonly schema: ValueSchema;
}

/** In the specification's order, without what every signed request carries. */
export function parametersOf(endpoint: Endpoint): readonly EndpointParameter[] {
  return [...partOf(endpoint, 'query'), ...partOf(endpoint, 'body')];
}

function partOf(endpoint: Endpoint, part: 'query' | 'body'): readonly EndpointParameter[] {
  const object = endpoint[part];
  if (object === null) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(object, { io: 'input' });
  return Object.entries(properties).map(([name, wire]) => ({
    name,
    in: part,
    required: required.includes(name),
    schema: { ...(typeof wire === 'object' ? wire : {}), ...(OF_ONE_ENDPOINT[endpoint.name]?.[name] ?? BY_NAME[name]) },
  }));
}

const ORDER_ID: ValueSchema = { type: 'string', pattern: '^1-[0-9]+-1$' };
const MOMENT: ValueSchema = { type: 'integer', minimum: 0 };
const POSITIVE_DECIMAL: ValueSchema = { type: 'string', pattern: '^(?=.*[1-9])[0-9]+(\\.[0-9]+)?$' };

/** What the tables of §4.2–4.4 say of a parameter beyond its being text on the wire. */
const BY_NAME: Readonly<Record<string, ValueSchema>> = {
  symbol: { pattern: '^[A-Z0-9]+/[A-Z0-9]+$' },
  market: { pattern: '^[a-z0-9]+$' },
  limit: { type: 'integer', minimum: 1, maximum: LIST_LIMIT_MAX, default: LIST_LIMIT_DEFAULT },
  omitZeroBalances: { type: 'boolean', default: true },
  startTime: MOMENT,
  endTime: MOMENT,
  fromId: { type: 'integer', minimum: 0 },
  orderId: ORDER_ID,
  order_id: ORDER_ID,
  price: POSITIVE_DECIMAL,
  quantity: POSITIVE_DECIMAL,
};

/** Where the same name means something else: simple buys and sells have numbers, and INR is what they are paid in. */
const OF_ONE_ENDPOINT: Partial<Record<EndpointName, Readonly<Record<string, ValueSchema>>>> = {
  'sbs-trades': { symbol: { pattern: '^[A-Z0-9]+/INR$' }, orderId: { type: 'integer', minimum: 0 } },
};
