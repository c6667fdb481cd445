// When a movement happened, which may be long before it was booked: what a figure of a year or a month goes by.
import type { Asset } from '../domain/instrument.ts';
import type { EpochMs } from '../domain/time.ts';
import { type Amount, negate } from '../ledger/amount.ts';
import type { PayloadOf } from '../trader/durable/events.ts';
import { journalAmount } from '../trader/durable/journal-amount.ts';
import type { BookEvent } from './book-events.ts';

/** An amount of an asset and when it moved. */
interface Dated {
  readonly asset: Asset;
  readonly amount: Amount;
  /** By our clock: what names it in the journal. */
  readonly at: EpochMs;
  readonly happenedAt: EpochMs;
}

export interface Dating {
  /**
   * By the exchange's clock where one of its lists says when it was. What takes something back is of the time of that:
   * a difference that was set aside and explained later, or accepted and named by a list later, leaves nothing behind
   * in either period.
   */
  of(event: BookEvent, asset: Asset): EpochMs;
}

export function createDating(): Dating {
  /** Set aside and not taken out yet. */
  const suspense: Dated[] = [];
  /** Taken out of suspense by the last records, `at` being when that was. */
  let released: Dated[] = [];
  const accepted: Dated[] = [];

  function ofSuspense({ asset, amount: text, at }: PayloadOf<'suspense'>): EpochMs {
    const amount = journalAmount(text);
    const index = suspense.findLastIndex((each) => each.asset === asset && each.amount === negate(amount));
    const [entered] = index < 0 ? [] : suspense.splice(index, 1);
    if (entered === undefined) {
      suspense.push({ asset, amount, at, happenedAt: at });
      return at;
    }
    released = [...released.filter((each) => each.at === at), { ...entered, at }];
    return entered.happenedAt;
  }

  /** What was in suspense until then has been in the wallet since it was set aside. */
  function ofAccepted({ asset, amount: text, at }: PayloadOf<'difference-accepted'>): EpochMs {
    const amount = journalAmount(text);
    const was = released.find((each) => each.at === at && each.asset === asset && each.amount === amount);
    const happenedAt = was?.happenedAt ?? at;
    accepted.push({ asset, amount, at, happenedAt });
    return happenedAt;
  }

  function of(event: BookEvent, asset: Asset): EpochMs {
    switch (event.type) {
      case 'fill':
      case 'fill-corrected':
      case 'conversion':
      case 'owner-trade':
        return event.payload.fill.venueTime;
      case 'transfer':
        return event.payload.venueTime;
      case 'markets-opened': {
        const { at, venueAt, markets } = event.payload;
        return Math.min(at, venueAt, ...Object.values(markets).map(({ from }) => from));
      }
      case 'suspense':
        return ofSuspense(event.payload);
      case 'difference-accepted':
        return ofAccepted(event.payload);
      case 'acceptance-named': {
        const { acceptedAt, at } = event.payload;
        return accepted.find((each) => each.at === acceptedAt && each.asset === asset)?.happenedAt ?? at;
      }
      default:
        return event.payload.at;
    }
  }
  return { of };
}

/** When an opening balance was there: read before the exchange's clock was known, and named by it afterwards. */
export const openingMoment = ({ at, venueAt = at }: PayloadOf<'opened'>): EpochMs => Math.min(at, venueAt);

/** What names the movement. */
export function referenceOf(event: BookEvent): string {
  switch (event.type) {
    case 'fill':
    case 'fill-corrected':
    case 'conversion':
    case 'owner-trade': {
      const { symbol, tradeId } = event.payload.fill;
      return `${symbol} ${tradeId}`;
    }
    case 'fill-reversed':
      return `${event.payload.symbol} ${event.payload.tradeId}`;
    case 'transfer':
      return event.payload.name;
    case 'suspense':
      return event.payload.why;
    case 'acceptance-named':
      return `accepted at ${event.payload.acceptedAt}`;
    case 'difference-accepted':
      return `accepted at ${event.payload.at}`;
    default:
      return '';
  }
}
