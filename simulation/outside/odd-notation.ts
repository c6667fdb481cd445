// The same numbers in other notations: more digits, an exponent, a float sum off in its last digits.
import { type Decimal, decimal, plain } from '../../src/domain/decimal.ts';
import type { Draws, Row } from '../faults/odd-answers.ts';

/** The text fields of order and trade rows. */
const NUMBERS = ['price', 'origQty', 'executedQty', 'remainingQty', 'qty', 'quoteQty', 'commission', 'tds'] as const;

/** Relative error of float sums. */
const FLOAT_NOISE = decimal('0.00000000000000011');

const WAYS: readonly ((number: Decimal) => string)[] = [
  (number) => `${plain(number)}${plain(number).includes('.') ? '' : '.'}00000000`,
  (number) => number.toExponential(),
  (number) => `${plain(number)}${plain(number).includes('.') ? '' : '.0'}`.padEnd(40, '0'),
  (number) => number.toExponential().toUpperCase().replace('E+', 'E+0'),
];

/** Every number of a row in one notation; in some rows it is another program's float, close but not equal. */
export function oddlyWritten(row: Row, draws: Draws): Row {
  const way = Math.floor(draws.next() * (WAYS.length + 1));
  const write = WAYS[way] ?? ((number: Decimal) => plain(number.mul(FLOAT_NOISE.add(1))));
  const written = NUMBERS.flatMap((name) => {
    const text = row[name];
    return typeof text === 'string' && /^\d/.test(text) ? [[name, write(decimal(text))] as const] : [];
  });
  return { ...row, ...Object.fromEntries(written) };
}
