// Selects the ordered fault for a request: rules with counts, and the choice as a function of them.
import { z } from 'zod';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { Side } from '../../domain/order.ts';
import type { AccountName } from '../../matching/types.ts';
import { ENDPOINTS } from '../../venue/endpoints.ts';
import type { EndpointName } from '../../venue/requests.ts';
import { deliveryFaultSchema } from './fault.ts';

/** The fields that rules can match; `null` where the request names none. */
export interface RequestFacts {
  readonly endpoint: EndpointName | null;
  readonly method: string;
  readonly path: string;
  /** The account of the key in the header, whether or not the signature is valid. */
  readonly account: AccountName | null;
  readonly symbol: InstrumentSymbol | null;
  readonly side: Side | null;
}

export const endpointNames = Object.values(ENDPOINTS).map(({ name }) => name);
export const word = () => z.string().min(1).max(200);

/** The fields that a request must match; absent fields match everything. */
const matchSchema = z
  .strictObject({
    endpoint: z.enum(endpointNames).optional(),
    method: word().optional(),
    path: word().optional(),
    account: word().optional(),
    symbol: word().optional(),
    side: z.enum(['buy', 'sell']).optional(),
  })
  .default({});

/** An ordered fault: for the next `times` matching requests, after the first `skip` of them. */
export const faultOrderSchema = z.strictObject({
  match: matchSchema,
  skip: z.int().min(0).max(1_000_000).default(0),
  times: z.int().min(1).max(1_000_000).nullable().default(1),
  fault: deliveryFaultSchema,
});

export type FaultOrder = z.output<typeof faultOrderSchema>;

/** An ordered fault and its counts. */
interface DeliveryRule extends FaultOrder {
  /** `fault-1`, `fault-2` … in the order in which they were given. */
  readonly id: string;
  /** Requests that matched. */
  readonly seen: number;
  /** Requests that were hit. */
  readonly hits: number;
}

/** The ordered faults, oldest first. Immutable: every change returns another value. */
export interface DeliveryRules {
  readonly rules: readonly DeliveryRule[];
  /** Number of the next id. */
  readonly nextNumber: number;
}

export const NO_DELIVERY_RULES: DeliveryRules = { rules: [], nextNumber: 1 };
/** Most rules at a time. */
export const DELIVERY_RULES_MAX = 1_000;

export function addRule({ rules, nextNumber }: DeliveryRules, order: FaultOrder): DeliveryRules {
  const rule: DeliveryRule = { ...order, id: `fault-${nextNumber}`, seen: 0, hits: 0 };
  return { rules: [...rules, rule], nextNumber: nextNumber + 1 };
}

/** Without the rule of this id, or without any. */
export function removeRules(delivery: DeliveryRules, id: string | null): DeliveryRules {
  return { ...delivery, rules: id === null ? [] : delivery.rules.filter((rule) => rule.id !== id) };
}

/**
 * Returns the rule that hits a request (`null`: none) and the rules with this request counted. Every matching rule
 * counts it; the oldest that has let `skip` pass and has hits left takes it.
 */
export function deliveryOf(
  delivery: DeliveryRules,
  facts: RequestFacts,
): { readonly rules: DeliveryRules; readonly hitBy: DeliveryRule | null } {
  let chosen: DeliveryRule | null = null;
  const rules = delivery.rules.map((rule) => {
    if (!isMatch(rule.match, facts)) return rule;
    const isHit = chosen === null && rule.seen >= rule.skip && (rule.times === null || rule.hits < rule.times);
    const counted: DeliveryRule = { ...rule, seen: rule.seen + 1, hits: rule.hits + (isHit ? 1 : 0) };
    if (isHit) chosen = counted;
    return counted;
  });
  return { rules: { ...delivery, rules }, hitBy: chosen };
}

function isMatch(match: FaultOrder['match'], facts: RequestFacts): boolean {
  const names = Object.keys(match) as (keyof typeof match)[];
  return names.every((name) => match[name] === undefined || match[name] === facts[name]);
}
