// Risk checks on whether anything may be sent at all, and on whether the limits themselves make sense.
import { assertNever } from '../../domain/invariant.ts';
import { isAmount, isPositive } from '../usable.ts';
import { type Check, deny } from './risk-context.ts';
import type { Limits } from './risk-limits.ts';

export const checkKillLatch: Check = (_proposal, { killLatched }) =>
  killLatched === false ? null : deny('kill-latch', 'The kill latch is set: no order leaves until a person re-arms.');

/** Checks 8 and 14, and every other halt: latched until a person resumes the symbol. */
export const checkHalt: Check = ({ request }, { halt }) =>
  halt === null ? null : deny(halt.code, `${request.symbol} is halted: ${halt.reason}`);

/** Check 15. Reducing allows sales only: on a spot account nothing else lowers inventory. */
export const checkState: Check = ({ request }, { mode }) => {
  switch (mode) {
    case 'ACTIVE':
      return null;
    case 'REDUCING':
      return request.side === 'sell'
        ? null
        : deny('state', `A buy in ${request.symbol} would raise inventory while REDUCING.`);
    case 'HALTED':
      return deny('state', `${request.symbol} is HALTED.`);
    default:
      return assertNever(mode);
  }
};

/** Check 16. */
export const checkSymbol: Check = ({ request: { symbol } }, { configuredSymbols, instrument }) => {
  if (!configuredSymbols.includes(symbol)) {
    return deny('symbol', `${symbol} is not configured; configured: ${configuredSymbols.join(', ') || 'none'}.`);
  }
  return symbol === instrument.symbol
    ? null
    : deny('symbol', `${symbol} was judged with the steps of ${instrument.symbol}.`);
};

const POSITIVE = ['maxOrderQuantity', 'maxOrderNotional', 'maxInventoryBase', 'maxOpenNotional'] as const;
const POSITIVE_IF_SET = ['maxOpenNotionalOverAll', 'maxSessionLoss', 'maxDayLoss', 'maxDrawdown'] as const;
const NOT_NEGATIVE = ['minInventoryBase', 'reserveQuote', 'reserveBase'] as const;
const NUMBERS = [
  'collarBps',
  'collarWindowBps',
  'referenceJumpBps',
  'maxOpenOrders',
  'maxOpenOrdersOverAll',
  'repeatedFills',
] as const;
const NUMBERS_OR_ZERO = ['maxLeavingPerSlot', 'maxLeaving'] as const;

/** A limit that is not there would limit nothing, so the order is denied instead. */
export const checkLimits: Check = (_proposal, { limits }) => {
  const name = firstUnusable(limits);
  return name === null ? null : deny('limits', `The limit ${name} is ${limits[name]}: missing, zero or not finite.`);
};

const isCount = (value: number | undefined): boolean => value !== undefined && Number.isFinite(value) && value > 0;

function firstUnusable(limits: Limits): keyof Limits | null {
  const unusable =
    POSITIVE.find((name) => !isPositive(limits[name])) ??
    POSITIVE_IF_SET.find((name) => limits[name] !== undefined && !isPositive(limits[name])) ??
    NOT_NEGATIVE.find((name) => !isAmount(limits[name])) ??
    NUMBERS.find((name) => !isCount(limits[name])) ??
    NUMBERS_OR_ZERO.find((name) => !isCount(limits[name]) && limits[name] !== 0);
  return unusable ?? null;
}
