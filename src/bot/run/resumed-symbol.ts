// What a person says with --resume: a symbol, and the price that he takes for right.
import { InvalidArgumentError } from 'commander';
import { parseDecimal } from '../../domain/decimal.ts';
import { parseSymbol } from '../../domain/instrument.ts';
import type { Resumed } from '../../trader/observe/resume.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';

/**
 * Reads `BTC/INR` or `BTC/INR@5600000`, one more for each time it is called; throws commander's error with a sentence.
 */
export function resumedSymbol(text: string, before: readonly Resumed[] = []): readonly Resumed[] {
  const [symbol = '', stated, ...rest] = text.split('@');
  if (parseSymbol(symbol) === null || rest.length > 0)
    throw new InvalidArgumentError(
      `"${text}" is not a symbol such as BTC/INR, or a symbol and a price such as BTC/INR@5600000.`,
    );
  if (before.some((each) => each.symbol === symbol)) throw new InvalidArgumentError(`${symbol} is named twice.`);
  if (stated === undefined) return [...before, { symbol, price: null }];
  const price = parseDecimal(stated);
  if (price === null || !price.gt(0))
    throw new InvalidArgumentError(`"${stated}" is not a price of ${symbol}: a number above 0 was expected.`);
  return [...before, { symbol, price }];
}

/** Throws `StartError` (64) for a symbol that has no run: no journal has to be asked for that. */
export function assertConfigured(resume: readonly Resumed[], symbols: readonly string[]): void {
  const stranger = resume.find(({ symbol }) => !symbols.includes(symbol))?.symbol;
  if (stranger === undefined) return;
  throw new StartError(EXIT.usage, `${stranger} can't be resumed: configured are ${symbols.join(', ')}.`);
}
