// Q17: the zone of the legacy trades' `created_at`, from `Date` and from the same trades on the current interface.
import { QUARTER, type TimeOffset } from '../../../client/times/time-offsets.ts';
import type { Decimal } from '../../../domain/decimal.ts';
import type { DurationMs, EpochMs } from '../../../domain/time.ts';
import { type RawObject, readDecimal } from '../../../venue/parsers/fields.ts';
import { type Answer, good } from '../facts/answer.ts';
import { counted, type Finding, open } from '../facts/finding.ts';
import { exactRowsOf } from '../facts/json-body.ts';
import { timeOf } from '../facts/seen-times.ts';

/** What the client's own reasoning makes of both lists. */
export interface KnownShifts {
  readonly legacy: TimeOffset;
  readonly publicTrades: TimeOffset;
}

/** Two prints of one trade differ by less than this: one of them is written in whole seconds. */
const SAME_TRADE_MS: DurationMs = 2_000;
/** Equal trades from which on their difference is no chance. */
const SURE_PAIRS = 3;

export function legacyZoneFinding(answers: readonly Answer[], { legacy, publicTrades }: KnownShifts): Finding {
  const question = { id: 'legacy-zone', question: 'Q17 zone of legacy created_at' };
  const prints = [...good(answers, 'legacy-trades'), ...good(answers, 'legacy-trades-sample')];
  if (prints.length === 0) return open(question, 'No legacy trade was read.');
  const pairs = sameTrades(answers, prints);
  const differenceMs = mostFrequent(pairs);
  const agreeing = pairs.filter((each) => each === differenceMs).length;
  if (legacy.evidence === 'proved') {
    return zone(question, legacy.measuredMs, { evidence: 'new rows against Date', confidence: 'proved' });
  }
  if (differenceMs !== null && agreeing >= SURE_PAIRS && publicTrades.evidence !== 'none') {
    return zone(question, differenceMs + publicTrades.measuredMs, {
      evidence: `${counted(agreeing, 'trade')} on both interfaces with equal price and quantity`,
      confidence: publicTrades.evidence === 'proved' ? 'proved' : 'likely',
    });
  }
  if (legacy.evidence === 'at-least') {
    return zone(question, legacy.measuredMs, {
      evidence: 'newest row against Date: at least that',
      confidence: 'likely',
    });
  }
  return open(question, `${counted(agreeing, 'trade')} found on both interfaces, and no young row`);
}

type Certainty = Pick<Finding, 'evidence' | 'confidence'>;

function zone(question: Pick<Finding, 'id' | 'question'>, offsetMs: DurationMs, certainty: Certainty): Finding {
  const minutes = Math.abs(offsetMs) / 60_000;
  const two = (value: number): string => String(value).padStart(2, '0');
  const finding = `${offsetMs < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return { ...question, finding, value: offsetMs, ...certainty };
}

interface Print {
  readonly price: Decimal;
  readonly quantity: Decimal;
  readonly at: EpochMs;
}

/** Whole quarter hours between every legacy trade and every public one with equal price and quantity. */
function sameTrades(answers: readonly Answer[], prints: readonly Answer[]): readonly DurationMs[] {
  const legacy = distinct(
    prints.flatMap((answer) => exactRowsOf(answer).flatMap((row) => printOf(row, 'volume', 'created_at'))),
  );
  const symbols = new Set(prints.map(({ symbol }) => symbol));
  const current = distinct(
    good(answers, 'public-trades')
      .filter(({ symbol }) => symbols.has(symbol))
      .flatMap((answer) => exactRowsOf(answer).flatMap((row) => printOf(row, 'qty', 'time'))),
  );
  return legacy.flatMap((a) =>
    current.flatMap((b) => {
      if (!a.price.eq(b.price) || !a.quantity.eq(b.quantity)) return [];
      const quarters = Math.round((a.at - b.at) / QUARTER);
      return Math.abs(a.at - b.at - quarters * QUARTER) < SAME_TRADE_MS ? [quarters * QUARTER] : [];
    }),
  );
}

/** One trade is in the answers of several looks. */
const distinct = (prints: readonly Print[]): readonly Print[] => [
  ...new Map(
    prints.map((print) => [`${print.price.toFixed()} ${print.quantity.toFixed()} ${print.at}`, print]),
  ).values(),
];

function printOf(row: RawObject, quantityField: string, field: string): readonly Print[] {
  const price = readDecimal(row.price);
  const quantity = readDecimal(row[quantityField]);
  const at = timeOf(row, field);
  return price === null || quantity === null || at === null ? [] : [{ price, quantity, at }];
}

function mostFrequent(values: readonly number[]): number | null {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
}
