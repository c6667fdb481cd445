// When a movement happened, which may be long before it was booked: what a figure of a year or a month goes by.
import type { Asset } from '../domain/instrument.ts';
import type { EpochMs } from '../domain/time.ts';
import { type Amount, add, NO_AMOUNT, negate } from '../ledger/amount.ts';
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

/** All that an event moved of an asset at one moment: of several parts the amount by which the wallet changed. */
export interface DatedPart {
  readonly happenedAt: EpochMs;
  /** Null: all of it. */
  readonly amount: Amount | null;
}

export interface Dating {
  /**
   * By the exchange's clock where one of its lists says when it was. What takes something back is of the time of that:
   * a difference that was set aside and explained later, or accepted and named by a list later, leaves nothing behind
   * in either period. What takes back several at once has a part of the time of each.
   */
  of(event: BookEvent, asset: Asset): readonly DatedPart[];
}

export function createDating(): Dating {
  /** Set aside and not taken out yet. */
  let suspense: Dated[] = [];
  /** Taken out of suspense by the last records, `at` being when that was. */
  let released: Dated[] = [];
  const accepted: Dated[] = [];

  function ofSuspense({ asset, amount: text, at }: PayloadOf<'suspense'>): readonly DatedPart[] {
    const amount = journalAmount(text);
    const entered = takenOut(asset, negate(amount));
    if (entered.length === 0) {
      suspense.push({ asset, amount, at, happenedAt: at });
      return whole(at);
    }
    released = [...released.filter((each) => each.at === at), ...entered.map((each) => ({ ...each, at }))];
    return entered.map(({ happenedAt, amount: was }) => ({ happenedAt, amount: negate(was) }));
  }

  /** One that was set aside by this amount; else all of the asset, which leave together. None where neither fits. */
  function takenOut(asset: Asset, amount: Amount): readonly Dated[] {
    const index = suspense.findLastIndex((each) => each.asset === asset && each.amount === amount);
    if (index >= 0) return suspense.splice(index, 1);
    const all = suspense.filter((each) => each.asset === asset);
    if (all.length === 0 || sumOf(all) !== amount) return [];
    suspense = suspense.filter((each) => each.asset !== asset);
    return all;
  }

  /** What was in suspense until then has been in the wallet since it was set aside. */
  function ofAccepted({ asset, amount: text, at }: PayloadOf<'difference-accepted'>): readonly DatedPart[] {
    const amount = journalAmount(text);
    const was = released.filter((each) => each.at === at && each.asset === asset);
    const parts = was.length > 0 && sumOf(was) === amount ? was : [{ asset, amount, at, happenedAt: at }];
    accepted.push(...parts);
    return parts;
  }

  function of(event: BookEvent, asset: Asset): readonly DatedPart[] {
    switch (event.type) {
      case 'fill':
      case 'fill-corrected':
      case 'conversion':
      case 'owner-trade':
        return whole(event.payload.fill.venueTime);
      case 'transfer':
        return whole(event.payload.venueTime);
      case 'markets-opened': {
        const { at, venueAt, markets } = event.payload;
        return whole(Math.min(at, venueAt, ...Object.values(markets).map(({ from }) => from)));
      }
      case 'suspense':
        return ofSuspense(event.payload);
      case 'difference-accepted':
        return ofAccepted(event.payload);
      case 'acceptance-named': {
        const { acceptedAt, at } = event.payload;
        const parts = accepted.filter((each) => each.at === acceptedAt && each.asset === asset);
        if (parts.length === 0) return whole(at);
        return parts.map(({ happenedAt, amount }) => ({ happenedAt, amount: negate(amount) }));
      }
      default:
        return whole(event.payload.at);
    }
  }
  return { of };
}

const whole = (happenedAt: EpochMs): readonly DatedPart[] => [{ happenedAt, amount: null }];
const sumOf = (all: readonly Dated[]): Amount => all.reduce((sum, { amount }) => add(sum, amount), NO_AMOUNT);

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
