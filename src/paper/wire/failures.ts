// Answers that are refused by order: rules of the control interface that let a documented code come instead of, or
// after, the work.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { AccountName } from '../../matching/types.ts';
import type { EndpointName } from '../../venue/requests.ts';

/** Calls that passed the gate and fit all that is given here fail; the first rule that fits is the one that counts. */
export interface FailureRule {
  /** The endpoint by its name, or by a path (of which legacy depth and trades have two); `null` fits every endpoint. */
  readonly endpoint: EndpointName | null;
  readonly path?: string;
  /** Only calls of this account. */
  readonly account?: AccountName;
  /** Only calls that name this symbol, in the query or in the body. */
  readonly symbol?: InstrumentSymbol;
  /** A documented code. The legacy interface answers with its status alone. */
  readonly code: number;
  /** How many calls that fit go well before. */
  readonly skip: number;
  /** How many calls fail then; `null`: all, until the rule is taken away. */
  readonly times: number | null;
  /** Whether the work is done before the call fails: `{code}` may come for an order that exists. */
  readonly processed: boolean;
}

/** A call, as far as rules look at it. */
export interface Call {
  readonly endpoint: EndpointName;
  readonly path: string;
  readonly account: AccountName | null;
  readonly symbol: string | null;
}

/** What a call is refused with. */
export type Failure = Pick<FailureRule, 'code' | 'processed'>;

/**
 * The rules as they stand after this call, and what the call is refused with, if it is. Rules that are used up are
 * gone.
 */
export function takeFailure(
  rules: readonly FailureRule[],
  call: Call,
): { readonly rules: readonly FailureRule[]; readonly failure: Failure | null } {
  const index = rules.findIndex((rule) => fits(rule, call));
  const rule = rules[index];
  if (rule === undefined) return { rules, failure: null };
  if (rule.skip > 0) return { rules: rules.with(index, { ...rule, skip: rule.skip - 1 }), failure: null };
  const failure = { code: rule.code, processed: rule.processed };
  if (rule.times === null) return { rules, failure };
  const left = rule.times - 1;
  return { rules: left > 0 ? rules.with(index, { ...rule, times: left }) : rules.toSpliced(index, 1), failure };
}

function fits(rule: FailureRule, call: Call): boolean {
  return (
    (rule.endpoint === null || rule.endpoint === call.endpoint) &&
    (rule.path === undefined || rule.path === call.path) &&
    (rule.account === undefined || rule.account === call.account) &&
    (rule.symbol === undefined || rule.symbol === call.symbol)
  );
}
