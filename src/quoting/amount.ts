// Amounts of money in a configuration: decimal text in, Decimal out, so that none passes through a float.
import { z } from 'zod';
import { type Decimal, parseDecimal } from '../domain/decimal.ts';

type Bound = 'positive' | 'not negative';

const inBound = (value: Decimal, bound: Bound): boolean => (bound === 'positive' ? value.gt(0) : value.gte(0));

/** Decimal text such as `"0.25"`, in quotes where the file format has numbers of its own. */
export function amount(bound: Bound) {
  return z.string().transform((text, context): Decimal => {
    const value = parseDecimal(text);
    if (value !== null && inBound(value, bound)) return value;
    context.issues.push({
      code: 'custom',
      message: `"${text}" is not an amount that is ${bound}, such as "0.25".`,
      input: text,
    });
    return z.NEVER;
  });
}

/** The program sets this value: it follows from others or is the same for everybody. No configuration has it. */
export const inside = <T extends z.ZodType>(schema: T): T => schema.meta({ inside: true });
