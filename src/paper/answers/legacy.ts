// The legacy public interface (specification 2.1–2.4, 4.1): two tickers, depth and trades, from the same books and
// prints.
import type { Instrument } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import type { Side } from '../../domain/order.ts';
import { reader } from '../../matching/engine.ts';
import type { Lots } from '../../matching/types.ts';
import { marketKey, type Visit } from '../gate/gate.ts';
import { priceText, quantityText, unitsText } from '../state/amounts.ts';
import { dayRange, type Print } from '../state/market-record.ts';
import { type ExchangeState, marketRecord, ownTime } from '../state/state.ts';
import { ok, type Reply } from '../wire/messages.ts';
import { INDIA_OFFSET_MS } from '../wire/quirks.ts';

/** Levels a side of the depth and rows of the trades: the interface takes no `limit` and states no number. */
const LEGACY_ROWS = 50;

/** Best bid and ask and last price of every pair; a pair that never traded has no last price. */
export function answerBestPrices({ state }: Visit): Reply {
  const market: Record<string, object> = {};
  const prices: Record<string, string> = {};
  for (const instrument of state.settings.engine.instruments) {
    const last = lastPrint(state, instrument);
    market[instrument.symbol] = {
      top_bid: amountWithAsset(state, instrument, 'buy'),
      top_ask: amountWithAsset(state, instrument, 'sell'),
    };
    if (last) prices[instrument.symbol] = priceText(last.price, instrument);
  }
  return ok({ market, prices });
}

function amountWithAsset(state: ExchangeState, instrument: Instrument, side: Side): string | null {
  const best = reader(state.engine).best(instrument.symbol, side);
  return best ? `${priceText(best.price, instrument)} ${instrument.quote}` : null;
}

/** Every pair by its key; `0` means that there is no price. */
export function answerLegacyTickers({ state, now }: Visit): Reply {
  const rows: Record<string, object> = {};
  for (const instrument of state.settings.engine.instruments) {
    rows[marketKey(instrument)] ??= tickerRow(state, instrument, now);
  }
  return ok(rows);
}

function tickerRow(state: ExchangeState, instrument: Instrument, now: number): object {
  const market = reader(state.engine);
  const day = dayRange(marketRecord(state, instrument.symbol), now);
  const last = lastPrint(state, instrument)?.price;
  const text = (price: typeof last) => (price === undefined ? '0' : priceText(price, instrument));
  return {
    sell: text(market.best(instrument.symbol, 'sell')?.price),
    buy: text(market.best(instrument.symbol, 'buy')?.price),
    high: text(day?.high ?? last),
    low: text(day?.low ?? last),
    open: text(day?.open ?? last),
    last: text(last),
    volume: day ? volumeText(day.volume, instrument) : '0',
    name: instrument.symbol,
    base_unit: instrument.base.toLowerCase(),
    quote_unit: instrument.quote.toLowerCase(),
    type: 'SPOT',
    at: secondsOf(state, ownTime(state, now)),
  };
}

/** Below a millionth in exponent notation, as the specification warns: `2.5e-7`. */
function volumeText(volume: Lots, instrument: Instrument): string {
  const amount = instrument.lotSize.mul(volume);
  return amount.isZero() || amount.gte('0.000001') ? quantityText(volume, instrument) : amount.toExponential();
}

/** Seconds since epoch, a number or its digits (Q8). */
function secondsOf({ controls }: ExchangeState, at: number): number | string {
  const seconds = Math.floor(at / 1000);
  return controls.quirks.timeAs === 'number' ? seconds : String(seconds);
}

export function answerDepth(visit: Visit): Reply {
  const { state, now } = visit;
  const instrument = instrumentAsked(visit);
  const levels = (side: Side) =>
    reader(state.engine)
      .levels(instrument.symbol, side, LEGACY_ROWS)
      .map((level) => [priceText(level.price, instrument), quantityText(level.quantity, instrument)]);
  return ok({ timestamp: secondsOf(state, ownTime(state, now)), bids: levels('buy'), asks: levels('sell') });
}

/** Newest first. `side` is the taker's. */
export function answerLegacyTrades(visit: Visit): Reply {
  const { state } = visit;
  const instrument = instrumentAsked(visit);
  const newest = marketRecord(state, instrument.symbol).prints.slice(-LEGACY_ROWS).reverse();
  return ok(newest.map((print) => tradeRow(state, instrument, print)));
}

function instrumentAsked({ instrument }: Visit): Instrument {
  invariant(instrument !== null, 'A legacy list was answered without a market.');
  return instrument;
}

function tradeRow(state: ExchangeState, instrument: Instrument, print: Print): object {
  const offsetMs = state.controls.quirks.legacyTradeZone === 'UTC' ? 0 : INDIA_OFFSET_MS;
  return {
    // `YYYY-MM-DDTHH:MM:SS` on a clock of that zone (Q17).
    created_at: new Date(print.at + offsetMs).toISOString().slice(0, 19),
    funds: unitsText(BigInt(print.notional), state.settings.engine.assetDecimals),
    price: priceText(print.price, instrument),
    side: print.makerSide === 'buy' ? 'Sell' : 'Buy',
    volume: quantityText(print.quantity, instrument),
    id: print.tradeId,
    market: marketKey(instrument),
  };
}

function lastPrint(state: ExchangeState, { symbol }: Instrument): Print | undefined {
  return marketRecord(state, symbol).prints.at(-1);
}
