// Basis points of a configuration as ratios.
import { Decimal, decimal } from '../domain/decimal.ts';

const BASIS_POINT = decimal('0.0001');

/** 25 → 0.0025. A product: a division costs several times as much. */
export function ratioOfBps(bps: number): Decimal {
  return new Decimal(bps).mul(BASIS_POINT);
}
