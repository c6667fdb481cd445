// A change of one run in money: what its orders and quotes would be.
import { type Slot, slotOf } from '../../domain/order.ts';
import type { EpochMs } from '../../domain/time.ts';
import { decisionOf } from '../../trader/decision/decide.ts';
import { changeText, type ParameterChange } from '../../trader/durable/revision.ts';
import { changesTo, decisionUnder, revisionOf } from '../../trader/observe/revise-run.ts';
import type { Decision } from '../../trader/state/decision.ts';
import type { RunSettings } from '../../trader/state/settings.ts';
import { runOf, type TraderState } from '../../trader/state/state.ts';
import { linesOfCells, type MoneyCells, moneyCells, type QuoteInMoney, quoteInMoney } from '../status/quote-money.ts';

/** What becomes of the orders on the book; `placed` are those of levels that have none now. */
export interface OrdersAfter {
  readonly kept: number;
  readonly moved: number;
  readonly canceled: number;
  readonly placed: number;
}

/** A sentence, or the quotes in money. */
export type PreviewPart = string | MoneyCells;

/** The same for a terminal, a line each. */
export const linesOf = (parts: readonly PreviewPart[]): string[] =>
  parts.flatMap((part) => (typeof part === 'string' ? [part] : linesOfCells(part)));

export interface RunPreview {
  readonly symbol: string;
  /** That of now; it becomes the next one. */
  readonly revision: number;
  readonly changes: readonly ParameterChange[];
  readonly orders: OrdersAfter;
  /** Those of now and those that would be; of a level that has none, null. */
  readonly quotes: readonly { readonly now: QuoteInMoney | null; readonly wouldBe: QuoteInMoney | null }[];
  /** Why nothing would be quoted, or not on one side, or what the limits would deny. */
  readonly why: readonly string[];
  /** All of it for people, in the order in which it is read. */
  readonly parts: readonly PreviewPart[];
}

export function previewOf(state: TraderState, run: RunSettings, now: EpochMs): RunPreview {
  const { symbol, base, quote } = run.instrument;
  // An order that is too young to be replaced moves a little later.
  const decided = decisionUnder(state, { ...run, refresh: { ...run.refresh, refreshMs: 0 } }, now);
  const before = quotesOf(decisionOf(state, symbol, now), runOf(state, symbol));
  const after = quotesOf(decided, run);
  const slots = [...new Set([...before.keys(), ...after.keys()])].sort();
  const quotes = slots.map((slot) => ({ now: before.get(slot) ?? null, wouldBe: after.get(slot) ?? null }));
  const noQuote = [decided.reason, decided.result?.noQuote.buy ?? null, decided.result?.noQuote.sell ?? null];
  const denied = [...decided.denied.values()].map(({ message }) => message);
  const why = [...new Set([...noQuote.filter((each) => each !== null), ...denied])];
  const shown = { symbol, revision: revisionOf(state, symbol), changes: changesTo(state, run) };
  const orders = ordersAfter(decided);
  const parts = [
    `${symbol}: revision ${shown.revision} becomes ${shown.revision + 1}`,
    ...shown.changes.map((change) => `  ${changeText(change)}`),
    `  orders: ${ordersText(orders)}`,
    ...(orders.kept > 0 && shown.changes.some(({ path }) => path.startsWith('limits.')) ? [LIMITS_WORDS] : []),
    ...(quotes.length === 0 ? [] : [moneyCells(quotes.map(sideBySide), { base, quote }, 'narrow')]),
    ...why.map((each) => `  no quote: ${each}`),
  ];
  return { ...shown, orders, quotes, why, parts };
}

const LIMITS_WORDS =
  '  limits: each order is held to them before it leaves; those that stay were placed by the limits of before, and ' +
  '`pause` takes them off.';

function quotesOf({ result, view }: Decision, { costs, instrument }: RunSettings): Map<Slot, QuoteInMoney> {
  const quotes = view === null ? [] : (result?.quotes ?? []);
  return new Map(
    quotes.map((quote) => {
      const reference = view?.referencePrice ?? quote.price;
      return [slotOf(quote), quoteInMoney(quote, { reference, costs, instrument })];
    }),
  );
}

/** A cancel whose level is wanted elsewhere makes room for the order that follows: it is a move. */
function ordersAfter({ actions, cancels, result }: Decision): OrdersAfter {
  const wanted = new Set((result?.quotes ?? []).map(slotOf));
  const count = (isMeant: (action: (typeof actions)[number]) => boolean): number => actions.filter(isMeant).length;
  const movedFirst = count(({ kind, slot }) => kind === 'cancel' && wanted.has(slot));
  return {
    kept: count(({ kind }) => kind === 'keep'),
    moved: count(({ kind }) => kind === 'replace') + movedFirst,
    // Where nothing is quoted, what is canceled stands beside the actions.
    canceled: actions.length === 0 ? cancels.length : count(({ kind }) => kind === 'cancel') - movedFirst,
    placed: count(({ kind }) => kind === 'create'),
  };
}

const ordersText = ({ kept, moved, canceled, placed }: OrdersAfter): string =>
  `${kept} stay, ${moved} move, ${canceled} canceled, ${placed} new`;

/** `5400000 → 5411000` in each cell that differs; a level that has no quote shows a dash there. */
function sideBySide({ now, wouldBe }: RunPreview['quotes'][number]): QuoteInMoney {
  const either = wouldBe ?? now;
  if (either === null) throw new RangeError('A row of a preview has a quote.');
  const entries = Object.entries(either).map(([key, value]) => {
    if (key === 'side' || key === 'level') return [key, value];
    const [was, is] = [now?.[key as keyof QuoteInMoney] ?? '–', wouldBe?.[key as keyof QuoteInMoney] ?? '–'];
    return [key, was === is ? is : `${was} → ${is}`];
  });
  return Object.fromEntries(entries) as QuoteInMoney;
}
