// Which codes an endpoint can answer with, written down by hand from the specification: §4 says which parameters there
// are, §5 what a signed request must have, §7 what the codes mean.
import { describe, expect, test } from '@jest/globals';
import { ERROR_CODES } from '../../../src/venue/dialect.ts';
import { codesOf } from '../../../src/venue/endpoint-parameters.ts';
import { ENDPOINTS } from '../../../src/venue/endpoints.ts';
import type { EndpointName } from '../../../src/venue/requests.ts';

const ANY = '-1125 -1404 -1000 -1003 -1009 -4001';
const SIGNED = `${ANY} -1001 -1015 -1021 -1022 -1023 -1106 -2003 -2004 -2015 -3000`;
const SYMBOL = '-1121 -1123';
const LIMIT = '-1104 -1105';
const CRYPTO = `${SIGNED} -1107 -1108 -1111 -1122 ${LIMIT}`;
const FIAT = `${SIGNED} -1107 -1108 ${LIMIT}`;
const SBS = `${SIGNED} -1103 ${SYMBOL} -1107 -1124 ${LIMIT}`;
const SPOT = `${SBS} -1109`;

const BY_HAND: Readonly<Record<EndpointName, string>> = {
  'legacy-best-prices': '',
  'legacy-tickers': '',
  'legacy-depth': '',
  'legacy-trades': '',
  tickers: `${ANY} ${SYMBOL} -5001`,
  symbols: `${ANY} -5015`,
  'public-trades': `${ANY} -1103 ${SYMBOL} ${LIMIT} -5002`,
  'order-book': `${ANY} -1103 ${SYMBOL} ${LIMIT} -5003`,
  assets: `${ANY} -1111 -1122`,
  wallet: `${SIGNED} -5005`,
  'crypto-deposits': `${CRYPTO} -5006`,
  'crypto-deposits-historical': `${CRYPTO} -5006`,
  'crypto-withdrawals': `${CRYPTO} -5007`,
  'crypto-withdrawals-historical': `${CRYPTO} -5007`,
  'fiat-deposits': `${FIAT} -5008`,
  'fiat-deposits-historical': `${FIAT} -5008`,
  'fiat-withdrawals': `${FIAT} -5009`,
  'fiat-withdrawals-historical': `${FIAT} -5009`,
  'open-orders': `${SIGNED} ${SYMBOL} -5010`,
  'spot-trades': `${SPOT} -5011`,
  'spot-trades-historical': `${SPOT} -5011`,
  'sbs-trades': `${SBS} -5012`,
  create: `${SIGNED} -1103 ${SYMBOL} -1112 -1113 -1114 -1115 -5013`,
  cancel: `${SIGNED} -1102 -1124 -5014`,
  'cancel-symbol': `${SIGNED} -1103 ${SYMBOL} -5014`,
  'cancel-all': `${SIGNED} -5014`,
};

const sorted = (codes: readonly number[]): readonly number[] => [...codes].sort((a, b) => b - a);

describe('the codes of an endpoint', () => {
  test.each(Object.entries(BY_HAND))('%s', (name, codes) => {
    const row = Object.values(ENDPOINTS).find((endpoint) => endpoint.name === name);
    const told = row === undefined ? [] : codesOf(row);
    expect(sorted(told)).toEqual(sorted(codes.split(' ').filter(Boolean).map(Number)));
  });

  test('come each once, in the order of the specification', () => {
    const order = ERROR_CODES.map(({ code }) => code);
    for (const row of Object.values(ENDPOINTS)) {
      const told = codesOf(row);
      expect(told).toEqual(order.filter((code) => told.includes(code)));
    }
  });

  test('are together all that are documented but -5004, which is of fees and has no endpoint', () => {
    const told = new Set(Object.values(ENDPOINTS).flatMap(codesOf));
    expect(ERROR_CODES.map(({ code }) => code).filter((code) => !told.has(code))).toEqual([-5004]);
  });

  test('follow the row: a key that needs no permission is never refused for one', () => {
    const { permission: _none, ...open } = ENDPOINTS['open-orders'];
    expect(codesOf(ENDPOINTS['open-orders'])).toContain(-2003);
    expect(codesOf(open)).not.toContain(-2003);
  });
});
