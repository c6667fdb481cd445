// Each symbol's state as numbers for the memory file. Reads only, and much less than a whole status.
import type { Decimal } from '../../domain/decimal.ts';
import type { Asset, InstrumentSymbol } from '../../domain/instrument.ts';
import type { Side } from '../../domain/order.ts';
import { touchOf } from '../../domain/order-book.ts';
import type { EpochMs } from '../../domain/time.ts';
import { valueText } from '../../ledger/amount.ts';
import { markPnl, pnlParts } from '../../ledger/pnl.ts';
import { decisionOf } from '../../trader/decision/decide.ts';
import { type Durable, liveIntents } from '../../trader/durable/durable.ts';
import { marketIn } from '../../trader/durable/market.ts';
import { type TrustedPrice, trustedPrice } from '../../trader/money/trusted-price.ts';
import type { Decision } from '../../trader/state/market.ts';
import { ledgerTotal, runOf, symbolsOf, type TraderState, type With } from '../../trader/state/state.ts';
import { leavingBy, standingOf } from '../../trader/status/standing.ts';
import type { Sample } from './rows.ts';

export interface Sampled {
  readonly symbol: InstrumentSymbol;
  readonly sample: Sample;
}

export function sampleMarkets(state: TraderState, now: EpochMs): readonly Sampled[] {
  // Until its books are opened, the bot does not know its holdings.
  const { opened } = state.durable.books;
  const equity = opened ? equityIn(state) : () => null;
  // Reports date a price by its point, so a point leaves out an older price.
  const isOfNow = ({ at }: TrustedPrice): boolean => now - at <= state.settings.ageLimits.bookMs;
  return symbolsOf(state).map((symbol) => {
    const decision = decisionOf(state, symbol, now);
    const { base, quote } = runOf(state, symbol).instrument;
    const touch = decision.view === null ? null : touchOf(decision.view.book);
    const trusted = trustedPrice(state, symbol);
    const own = liveTouch(state.durable, symbol, decision);
    return {
      symbol,
      sample: {
        marketBid: touch?.bid.price.toNumber() ?? null,
        marketAsk: touch?.ask.price.toNumber() ?? null,
        ...own,
        reference: trusted && isOfNow(trusted) ? trusted.price.toNumber() : null,
        inventory: opened ? ledgerTotal(state.durable.books, base).toNumber() : null,
        equity: equity(quote),
        profit: profitOf(state, symbol, trusted?.price ?? null),
      },
    };
  });
}

function liveTouch(durable: Durable, symbol: InstrumentSymbol, decision: Decision): Pick<Sample, 'ownBid' | 'ownAsk'> {
  const leaving = leavingBy(decision);
  const live = liveIntents(durable, symbol).filter(
    (intent) => standingOf(intent.state, leaving.has(intent.intentId)) === 'live',
  );
  const prices = (side: Side): number[] =>
    live.filter((intent) => intent.side === side).map(({ price }) => price.toNumber());
  const [bids, asks] = [prices('buy'), prices('sell')];
  return {
    ownBid: bids.length === 0 ? null : Math.max(...bids),
    ownAsk: asks.length === 0 ? null : Math.min(...asks),
  };
}

/** Null while some holding has no price yet. */
function equityIn(state: With<'durable' | 'markets'>): (quote: Asset) => number | null {
  const byQuote = Map.groupBy(symbolsOf(state), (symbol) => runOf(state, symbol).instrument.quote);
  const known = new Map<Asset, number | null>();
  for (const [quote, symbols] of byQuote) {
    let sum: Decimal | null = ledgerTotal(state.durable.books, quote);
    // Counts a coin once, even if two symbols trade it for the same money.
    const bases = new Map(symbols.map((symbol) => [runOf(state, symbol).instrument.base, symbol]));
    for (const [base, symbol] of bases) {
      const held = ledgerTotal(state.durable.books, base);
      const price = trustedPrice(state, symbol)?.price ?? null;
      if (held.isZero() || sum === null) continue;
      sum = price === null ? null : sum.add(held.mul(price));
    }
    known.set(quote, sum === null ? null : sum.toNumber());
  }
  return (quote) => known.get(quote) ?? null;
}

function profitOf(state: With<'durable' | 'markets'>, symbol: InstrumentSymbol, price: Decimal | null): number {
  const { pnl } = marketIn(state.durable, symbol);
  return Number(valueText(pnlParts(markPnl(pnl, price), runOf(state, symbol).taxTreatment).total));
}
