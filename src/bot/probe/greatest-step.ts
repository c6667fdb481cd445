// The largest step of which all seen values are multiples, and how likely a finer one is that nobody happened to use.
import { Decimal } from '../../domain/decimal.ts';

export interface Step {
  /** Greatest common divisor of the values: the true step divides it, so that it is never finer than the true one. */
  readonly step: Decimal;
  /** Different values it was taken from. */
  readonly distinct: number;
  /**
   * Share of them that lie on ten times the step: a tenth where people choose freely, more where they like round
   * numbers.
   */
  readonly roundShare: number;
  /** Upper estimate of the chance that the true step is finer. */
  readonly doubt: number;
  /** 1, 2, 2.5 or 5 times a power of ten, as steps are. */
  readonly isUsual: boolean;
}

/** If the true step were half of what is seen, each value would be an even multiple of it by chance, one in two. */
const LEAST_ROUND_SHARE = 0.5;

/** `null` without a value above zero. */
export function greatestStep(values: readonly Decimal[]): Step | null {
  const positive = values.filter((value) => value.gt(0));
  const places = Math.max(0, ...positive.map((value) => value.decimalPlaces()));
  // By text: a value may have more digits than a Decimal's multiplication keeps.
  const scaled = [...new Set(positive.map((value) => BigInt(value.toFixed(places).replace('.', ''))))];
  const [first] = scaled;
  if (first === undefined) return null;
  const units = scaled.reduce(greatestCommonDivisor, first);
  const roundShare = scaled.filter((value) => value % (units * 10n) === 0n).length / scaled.length;
  return {
    step: new Decimal(`${units}e-${places}`),
    distinct: scaled.length,
    roundShare,
    doubt: Math.max(LEAST_ROUND_SHARE, roundShare) ** scaled.length,
    isUsual: /^(?:1|2|5|25)0*$/.test(units.toString()),
  };
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [large, small] = [a, b];
  while (small !== 0n) [large, small] = [small, large % small];
  return large;
}
