// Quotes on their way through the pipeline, with the reasons collected so far.
import type { Decimal } from '../../domain/decimal.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { type Quote, type Side, type Slot, slotOf } from '../../domain/order.ts';
import type { LiveOrder } from '../live-order.ts';
import type { QuotingSettings } from '../quoting-settings.ts';
import type { Limits } from '../risk/risk-limits.ts';
import type { MarketView, Step, Strategy } from '../strategy.ts';
import type { Flaw, StrategyFailure } from '../strategy-call/read-answer.ts';

/** Why a side has no quote, as a sentence; `null` if it has one. */
export type NoQuote = { readonly [S in Side]: string | null };

export interface Draft extends Pick<QuotingInput, 'view' | 'settings' | 'live' | 'strategy'> {
  readonly limits: KeptLimits;
  /** Halfway between the strategy's innermost bid and ask; the reference price if it wanted one side. */
  readonly reservationPrice: Decimal;
  /** Bids, then asks, each from the innermost outward. */
  readonly quotes: readonly Quote[];
  /** Orders that stay in place, kept out of the steps in between (`hanging-orders.ts`); empty outside them. */
  readonly hanging: readonly Quote[];
  /** The quantities of quotes before the size skew enlarged them. */
  readonly enlargedFrom: ReadonlyMap<Slot, Decimal>;
  /** In order. The last line of a quote's slot ends in the quote as it is here. */
  readonly explain: readonly Step[];
  readonly noQuote: NoQuote;
  /** Invalid quotes of the strategy. */
  readonly flaws: readonly Flaw[];
  /** Why the strategy gave no quotes at all; `null` if it answered, or was not called. */
  readonly failure: StrategyFailure | null;
}

/** One step of the pipeline. It adds at least one line to `explain`. */
export type PipelineStep = (draft: Draft) => Draft;

/** The effect of a step on one quote: another price or size, or none at all. `null` leaves it as it is. */
export type Change = { readonly quote: Quote; readonly why: string } | { readonly drop: string } | null;

/** A step's name, and its line when it changes nothing. */
export interface StepNote {
  readonly name: string;
  readonly unchanged: string;
}

/**
 * Calls `decide` for every quote in turn, writes a line for each change, and gives the reason where a side ends empty.
 */
export function changeEach(draft: Draft, note: StepNote, decide: (quote: Quote) => Change): Draft {
  const { instrument } = draft.view;
  const { name } = note;
  const quotes: Quote[] = [];
  const lines: Step[] = [];
  const drops: { side: Side; why: string }[] = [];
  for (const quote of draft.quotes) {
    const change = decide(quote);
    if (change === null) {
      quotes.push(quote);
      continue;
    }
    const [after, why] = 'drop' in change ? [null, change.drop] : [change.quote, change.why];
    if (after === null) drops.push({ side: quote.side, why });
    else quotes.push(after);
    lines.push(new QuoteLine({ name, quote, after, why }, instrument));
  }
  if (lines.length === 0) lines.push(unchangedLine(draft, note));
  return { ...draft, quotes, explain: [...draft.explain, ...lines], noQuote: emptied(draft, quotes, drops) };
}

/** The same draft, with a line that gives the reason. */
export function leaveAll(draft: Draft, note: StepNote): Draft {
  return { ...draft, explain: [...draft.explain, unchangedLine(draft, note)] };
}

const countText = (draft: Draft): string => (draft.quotes.length === 1 ? '1 quote' : `${draft.quotes.length} quotes`);

function unchangedLine(draft: Draft, { name, unchanged }: StepNote): Step {
  return { name, before: countText(draft), after: countText(draft), why: unchanged };
}

/** A side that lost its last quote in this step gets the reason of the innermost one. */
function emptied(draft: Draft, quotes: readonly Quote[], drops: readonly { side: Side; why: string }[]): NoQuote {
  const reason = (side: Side): string | null =>
    quotes.some((quote) => quote.side === side)
      ? null
      : (draft.noQuote[side] ?? drops.find((drop) => drop.side === side)?.why ?? null);
  return drops.length === 0 ? draft.noQuote : { buy: reason('buy'), sell: reason('sell') };
}

// A line of `explain` about one quote. Most lines are never read, so numbers are formatted only on demand.

export const NO_QUOTE = 'no quote';

interface QuoteChange {
  readonly name: string;
  /** As it came into the step. */
  readonly quote: Quote;
  /** Replaces it if the step has something else to start from. */
  readonly before?: string;
  /** `null`: dropped. */
  readonly after: Quote | null;
  readonly why: string;
}

/** Reads like a `Step` and becomes one in JSON; a copy by spreading must name the fields. */
export class QuoteLine implements Step {
  private readonly change: QuoteChange;
  private readonly instrument: Instrument;

  constructor(change: QuoteChange, instrument: Instrument) {
    this.change = change;
    this.instrument = instrument;
  }

  get name(): string {
    return this.change.name;
  }

  get slot(): Slot {
    return slotOf(this.change.quote);
  }

  get before(): string {
    return this.change.before ?? quoteText(this.change.quote, this.instrument);
  }

  get after(): string {
    const { after } = this.change;
    return after === null ? NO_QUOTE : quoteText(after, this.instrument);
  }

  get why(): string {
    return this.change.why;
  }

  toJSON(): Step {
    const { name, slot, before, after, why } = this;
    return { name, slot, before, after, why };
  }
}

/** A quote in `explain`: `0.01 @ 5000000`. Before rounding it shows two digits beyond tick and lot. */
export function quoteText(quote: Pick<Quote, 'price' | 'quantity'>, { tickSize, lotSize }: Instrument): string {
  return `${shown(quote.quantity, lotSize)} @ ${shown(quote.price, tickSize)}`;
}

/** A number for people: two digits beyond its rounding step. */
export function shown(value: Decimal, step: Decimal): string {
  const places = step.decimalPlaces() + 2;
  return value.decimalPlaces() > places ? value.toDecimalPlaces(places).toFixed() : value.toFixed();
}

// The pipeline's input: a strategy with its parameters, a view of the market, and our own orders.

export interface QuotingInput {
  readonly strategy: Strategy;
  /** As `strategy.params` returned them: checked, with defaults. */
  readonly params: unknown;
  readonly view: MarketView;
  /** The strategy's memory between decisions; `undefined` where it has none. */
  readonly memory?: unknown;
  readonly settings: QuotingSettings;
  /** Own orders of the symbol that are or may be live. */
  readonly live: readonly LiveOrder[];
  /** Quotes stop at the bounds where the risk gate would deny them. Absent where nothing will be sent. */
  readonly limits?: KeptLimits;
}

type KeptLimits = Partial<
  Pick<
    Limits,
    'maxOrderQuantity' | 'maxOrderNotional' | 'minInventoryBase' | 'maxInventoryBase' | 'reserveQuote' | 'reserveBase'
  >
>;
