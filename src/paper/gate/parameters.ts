// Reading the parameters of an endpoint, each with the documented code of its refusal.
import { type Instrument, parseSymbol } from '../../domain/instrument.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import { reader } from '../../matching/engine.ts';
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from '../../venue/bounds.ts';
import type { ExchangeState } from '../state/state.ts';
import { isBeyond, isNumeric } from '../wire/numbers.ts';
import { parameter, type Query } from '../wire/query.ts';
import { type ErrorReply, refuse } from '../wire/reply.ts';

export type Parsed<T> = Result<T, ErrorReply>;

/** A symbol that must be given: -1103, -1123, -1121. */
export function requiredSymbol(state: ExchangeState, given: unknown): Parsed<Instrument> {
  if (given === undefined || given === null || given === '') return fail(refuse(-1103, 'The symbol is required.'));
  if (typeof given !== 'string' || parseSymbol(given) === null) {
    return fail(refuse(-1123, 'The symbol must have the form BASE/QUOTE.'));
  }
  const instrument = reader(state.engine).instrument(given);
  return instrument ? ok(instrument) : fail(refuse(-1121, `The symbol ${given} is not traded here.`));
}

/** A symbol that may be left out; an empty one is not left out. */
export function optionalSymbol(state: ExchangeState, query: Query): Parsed<Instrument | null> {
  const given = parameter(query, 'symbol');
  if (given === undefined) return ok(null);
  return given === '' ? fail(refuse(-1123, 'The symbol must have the form BASE/QUOTE.')) : requiredSymbol(state, given);
}

/** -1104 when it is no number, -1105 when it is no whole number from 1 to 50. */
export function listLimit(query: Query): Parsed<number> {
  const given = parameter(query, 'limit');
  if (given === undefined) return ok(LIST_LIMIT_DEFAULT);
  if (!isNumeric(given)) return fail(refuse(-1104, 'The limit must be numeric.'));
  if (isBeyond(given, LIST_LIMIT_MAX)) return fail(refuse(-1105, `The limit is too large: at most ${LIST_LIMIT_MAX}.`));
  const limit = Number(given);
  const inRange = /^\+?\d+(?:\.0+)?$/.test(given) && limit >= 1;
  return inRange ? ok(limit) : fail(refuse(-1105, `The limit must be a whole number from 1 to ${LIST_LIMIT_MAX}.`));
}

const ORDER_ID = /^1-\d{1,40}-1$/;
const ORDER_ID_OF_ANY_LENGTH = /^1-\d+-1$/;

/** Shape `1-<number>-1`, else -1124. */
export function orderIdText(given: unknown): Parsed<string> {
  if (typeof given !== 'string' || !ORDER_ID_OF_ANY_LENGTH.test(given)) {
    return fail(refuse(-1124, 'The order id must have the form 1-<number>-1.'));
  }
  return ORDER_ID.test(given)
    ? ok(given)
    : fail(refuse(-1124, 'The number of the order id is too large: at most 40 digits.'));
}
