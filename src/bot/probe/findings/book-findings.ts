// N3 and the order of levels: how many levels a book really has at most, and whether its sides are sorted as
// documented.
import type { Decimal } from '../../../domain/decimal.ts';
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from '../../../venue/bounds.ts';
import { isObject, readDecimal } from '../../../venue/parsers/fields.ts';
import { type Answer, good, type Topic } from '../facts/answer.ts';
import { type Confidence, counted, type Finding, open } from '../facts/finding.ts';
import { exactJsonOf } from '../facts/json-body.ts';

/** Prices of one book as they came. */
interface Sides {
  readonly bids: readonly Decimal[];
  readonly asks: readonly Decimal[];
}

export function bookFindings(answers: readonly Answer[]): readonly Finding[] {
  const books = booksOf(answers, 'order-book');
  const legacy = [...booksOf(answers, 'legacy-depth'), ...booksOf(answers, 'legacy-depth-sample')];
  return [capFinding(books, legacy), orderFinding([...books, ...legacy])];
}

function booksOf(answers: readonly Answer[], topic: Topic): readonly Sides[] {
  return good(answers, topic).flatMap((answer) => {
    const json = exactJsonOf(answer);
    if (!isObject(json) || !Array.isArray(json.bids) || !Array.isArray(json.asks)) return [];
    return [{ bids: pricesOf(json.bids), asks: pricesOf(json.asks) }];
  });
}

function pricesOf(levels: readonly unknown[]): readonly Decimal[] {
  return levels.flatMap((level) => {
    const price = Array.isArray(level) ? readDecimal(level[0]) : null;
    return price === null ? [] : [price];
  });
}

const sidesOf = (books: readonly Sides[]): readonly (readonly Decimal[])[] =>
  books.flatMap(({ bids, asks }) => [bids, asks]);

/** A side that is longer than another cap disproves it; several that end at exactly one number are no chance. */
function capFinding(books: readonly Sides[], legacy: readonly Sides[]): Finding {
  const question = { id: 'book-levels', question: `N3 levels of a book, limit=${LIST_LIMIT_MAX} asked` };
  if (books.length === 0) return open(question, 'No book could be read.');
  const lengths = sidesOf(books).map((side) => side.length);
  const most = Math.max(...lengths);
  const full = lengths.filter((length) => length === most).length;
  const longer = Math.max(0, ...sidesOf(legacy).map((side) => side.length));
  const evidence = [
    `${counted(books.length, 'book')}, sides of ${lengths.join(', ')} levels`,
    ...(longer > 0 ? [`the legacy interface shows up to ${longer}`] : []),
  ].join('; ');
  const of = (finding: string, value: number | null, confidence: Confidence): Finding => ({
    ...question,
    finding,
    value,
    evidence,
    confidence,
  });
  if (most > LIST_LIMIT_MAX) return of(`more than ${LIST_LIMIT_MAX}`, most, 'proved');
  if (most === LIST_LIMIT_MAX) return of(`${most} a side, as documented`, most, 'proved');
  if (full > 1 && (most === LIST_LIMIT_DEFAULT || longer > most)) {
    return of(`${most} a side, less than asked`, most, full > 2 || longer > most ? 'likely' : 'suspected');
  }
  return of(`at least ${most}: the books end there or are cut there`, null, 'unknown');
}

function orderFinding(books: readonly Sides[]): Finding {
  const question = { id: 'book-order', question: 'order of levels' };
  const bids = books.map((book) => book.bids);
  const asks = books.map((book) => book.asks);
  const tellers = [...bids, ...asks].filter((side) => side.length > 1);
  if (tellers.length === 0) return open(question, 'No side of a book has two levels.');
  const wrong = [
    ...bids.filter((side) => !isSorted(side, -1)).map(() => 'bids'),
    ...asks.filter((side) => !isSorted(side, 1)).map(() => 'asks'),
  ];
  const sorted = wrong.length === 0;
  return {
    ...question,
    finding: sorted ? 'best first, as documented' : `not sorted: ${[...new Set(wrong)].join(' and ')}`,
    value: sorted,
    evidence: `${counted(tellers.length, 'side')} with two levels or more, ${wrong.length} not sorted`,
    confidence: sorted ? 'likely' : 'proved',
  };
}

function isSorted(prices: readonly Decimal[], direction: 1 | -1): boolean {
  return prices.every((price, index) => index === 0 || price.cmp(prices[index - 1] ?? price) * direction > 0);
}
