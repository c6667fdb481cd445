// A line of `explain` about one quote. Most lines are never read, so numbers are written out only when one is.
import type { Decimal } from '../../domain/decimal.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { type Quote, type Slot, slotOf } from '../../domain/order.ts';
import type { Step } from '../strategy.ts';

export const NO_QUOTE = 'no quote';

export interface QuoteChange {
  readonly name: string;
  /** As it came into the step. */
  readonly quote: Quote;
  /** Stands for it where the step has something else to start from. */
  readonly before?: string;
  /** `null`: dropped. */
  readonly after: Quote | null;
  readonly why: string;
}

/** Reads like a `Step` and turns into one in JSON; a copy by spreading must name the fields. */
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

/** How a quote is written in `explain`: `0.01 @ 5000000`. Before rounding it shows two digits beyond tick and lot. */
export function quoteText(quote: Pick<Quote, 'price' | 'quantity'>, { tickSize, lotSize }: Instrument): string {
  return `${shown(quote.quantity, lotSize)} @ ${shown(quote.price, tickSize)}`;
}

/** A number for people: two digits beyond the step that it will be rounded to. */
export function shown(value: Decimal, step: Decimal): string {
  const places = step.decimalPlaces() + 2;
  return value.decimalPlaces() > places ? value.toDecimalPlaces(places).toFixed() : value.toFixed();
}
