// One command to the engine, and everything that the exchange remembers of what came of it.
import type { Instrument, InstrumentSymbol } from '../domain/instrument.ts';
import { invariant } from '../domain/invariant.ts';
import type { EpochMs } from '../domain/time.ts';
import { applyCommand, reader } from '../matching/engine.ts';
import type { MarketReader } from '../matching/market-reader.ts';
import type { AccountName, EngineCommand, EngineEvent, EngineTrade } from '../matching/types.ts';
import { recordClosed, recordFill } from './account-record.ts';
import { priceText, quantityText, unitsText } from './amounts.ts';
import { noteChange } from './delayed-view.ts';
import { recordPrint } from './market-record.ts';
import { accountRecord, type ExchangeState, marketRecord } from './state.ts';

/** Applies a command at the venue's time `at` (at the latest moment known, if that is later) and records its events. */
export function execute(state: ExchangeState, command: EngineCommand, at: EpochMs): readonly EngineEvent[] {
  state.lastAt = Math.max(state.lastAt, at);
  const { state: engine, events } = applyCommand(state.engine, command, state.lastAt);
  state.engine = engine;
  state.revision += 1;
  const market = reader(engine);
  const touched: Touched = { orderIds: new Set(), balances: new Map() };
  if (command.kind === 'credit') touchAsset(state, touched, { account: command.account, asset: command.asset });
  for (const event of events) recordEvent(state, { event, market, touched });
  for (const orderId of touched.orderIds) showOrder(state, market, orderId);
  for (const [account, assets] of touched.balances) showBalances(state, market, { account, assets });
  return events;
}

/** The orders and balances of recorded accounts that a command may have changed. */
interface Touched {
  readonly orderIds: Set<string>;
  readonly balances: Map<AccountName, Set<string>>;
}

interface Happening {
  readonly event: EngineEvent;
  readonly market: MarketReader;
  readonly touched: Touched;
}

function recordEvent(state: ExchangeState, { event, market, touched }: Happening): void {
  switch (event.kind) {
    case 'accepted': {
      const { account, orderId, symbol } = event.order;
      if (state.accounts.has(account)) state.owners.set(orderId, { account, symbol });
      touchOrder(state, market, { orderId, touched });
      return;
    }
    case 'trade': {
      const { trade } = event;
      recordPrint(marketRecord(state, trade.symbol), trade);
      recordFills(state, market, trade);
      touchOrder(state, market, { orderId: trade.makerOrderId, touched });
      touchOrder(state, market, { orderId: trade.takerOrderId, touched });
      return;
    }
    case 'canceled':
      touchOrder(state, market, { orderId: event.orderId, touched });
      return;
    case 'refused':
      return;
  }
}

function touchAsset(state: ExchangeState, touched: Touched, what: { account: AccountName; asset: string }): void {
  if (!state.accounts.has(what.account)) return;
  const assets = touched.balances.get(what.account) ?? new Set();
  touched.balances.set(what.account, assets.add(what.asset));
}

function touchOrder(state: ExchangeState, market: MarketReader, what: { orderId: string; touched: Touched }): void {
  const owner = state.owners.get(what.orderId);
  if (!owner) return;
  what.touched.orderIds.add(what.orderId);
  const { base, quote } = instrumentOf(market, owner.symbol);
  touchAsset(state, what.touched, { account: owner.account, asset: base });
  touchAsset(state, what.touched, { account: owner.account, asset: quote });
}

function showOrder(state: ExchangeState, market: MarketReader, orderId: string): void {
  const owner = state.owners.get(orderId);
  invariant(owner !== undefined, `Order ${orderId} has no owner.`);
  const record = accountRecord(state, owner.account);
  const order = market.order(orderId);
  const row = order && order.remaining > 0 ? order : null;
  noteChange(record.openOrders, { at: state.lastAt, key: orderId, row }, state.controls.quirks.openOrdersLagMs);
  if (row !== null) return;
  state.owners.delete(orderId);
  recordClosed(record, orderId);
}

function showBalances(
  state: ExchangeState,
  market: MarketReader,
  what: { account: AccountName; assets: ReadonlySet<string> },
): void {
  const { wallet } = accountRecord(state, what.account);
  const { assetDecimals } = state.settings.engine;
  for (const asset of what.assets) {
    const { free, locked } = market.balance(what.account, asset);
    const row = { free: unitsText(free, assetDecimals), locked: unitsText(locked, assetDecimals) };
    noteChange(wallet, { at: state.lastAt, key: asset, row }, state.controls.quirks.walletLagMs);
  }
}

function recordFills(state: ExchangeState, market: MarketReader, trade: EngineTrade): void {
  const maker = state.accounts.get(trade.makerAccount);
  const taker = state.accounts.get(trade.takerAccount);
  if (!maker && !taker) return;
  const instrument = instrumentOf(market, trade.symbol);
  // A self-trade leaves two rows with one id, as both sides of it are the account's.
  if (maker) recordFill(maker, fillRow(state, { trade, instrument, isMaker: true }));
  if (taker) recordFill(taker, fillRow(state, { trade, instrument, isMaker: false }));
}

function fillRow(state: ExchangeState, given: { trade: EngineTrade; instrument: Instrument; isMaker: boolean }) {
  const { trade, instrument, isMaker } = given;
  const { assetDecimals } = state.settings.engine;
  const fee = isMaker ? trade.makerFee : trade.takerFee;
  const isBuyer = (trade.makerSide === 'buy') === isMaker;
  return {
    symbol: trade.symbol,
    id: trade.tradeId,
    orderId: isMaker ? trade.makerOrderId : trade.takerOrderId,
    price: priceText(trade.price, instrument),
    qty: quantityText(trade.quantity, instrument),
    quoteQty: unitsText(trade.notional, assetDecimals),
    commission: unitsText(fee.amount, assetDecimals),
    commissionAsset: fee.asset,
    tds: unitsText(isBuyer ? 0n : trade.tds, assetDecimals),
    time: trade.at,
    isBuyer,
    isMaker,
  };
}

function instrumentOf(market: MarketReader, symbol: InstrumentSymbol): Instrument {
  const instrument = market.instrument(symbol);
  invariant(instrument !== undefined, `The engine traded ${symbol}, which it doesn't know.`);
  return instrument;
}
