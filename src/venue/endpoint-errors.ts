// Which error codes an endpoint can answer with, from its row: the specification lists the codes, but not whose they
// are.
import type { Endpoint } from './endpoint.ts';
import { parametersOf } from './endpoint-parameters.ts';
import { spotTradesQuery } from './endpoint-shapes.ts';
import { ERROR_CODES } from './error-codes.ts';

/** Before any parameter is read: maintenance, disabled, not processed, too many, not routed, internal. */
const ANY_REQUEST = [-1125, -1404, -1000, -1003, -1009, -4001];
/** Credentials, address, signature, stamp, account (§5.3). */
const SIGNED_REQUEST = [-1001, -1015, -1021, -1022, -1023, -1106, -2004, -2015, -3000];
const NOT_PERMITTED = -2003;

/** A value that was given and is wrong. `omitZeroBalances`, `fromId` and `market` have no code of their own. */
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
/** A value that must be given and is not. The other required fields get the code of a wrong value. */
const MISSING: Readonly<Record<string, number>> = { symbol: -1103, order_id: -1102 };
/** Only the spot trade lists have a rule on which parameters go together (§4.3). */
const NOT_TOGETHER = -1109;

/**
 * The codes that an endpoint can answer with, in the order of the specification's table; none for the legacy interface,
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
