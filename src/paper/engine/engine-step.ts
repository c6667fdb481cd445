// Applies one command to the engine and records its effects.
import { decimal, plain } from '../../domain/decimal.ts';
import type { Asset, Instrument, InstrumentSymbol } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import type { EpochMs } from '../../domain/time.ts';
import { applyCommand, reader } from '../../matching/engine.ts';
import type {
  AccountName,
  EngineCommand,
  EngineEvent,
  EngineOrderId,
  EngineTrade,
  MarketReader,
  Posting,
  Units,
} from '../../matching/types.ts';
import { type FillRow, recordChange, recordClosed, recordFill, type WalletRow } from '../state/account-record.ts';
import {
  intoPocket,
  outOfPocket,
  ownerOfPocket,
  type Portion,
  type Purpose,
  pocketBalance,
  pocketOf,
  priceText,
  quantityText,
  unitsText,
} from '../state/amounts.ts';
import type { ListedOrder } from '../state/in-flight.ts';
import { recordPrint } from '../state/market-record.ts';
import { accountRecord, type ExchangeState, marketRecord, ownTime } from '../state/state.ts';
import type { Quirks } from '../wire/quirks.ts';

/**
 * Applies a command as of the venue's time `at`, which may be in the past: what it stamps carries that time, but its
 * changes show only after the latest moment known, as every list trails the facts.
 */
export function engineStep(state: ExchangeState, command: EngineCommand, at: EpochMs): readonly EngineEvent[] {
  const { state: engine, events } = applyCommand(state.engine, command, ownTime(state, at));
  state.engine = engine;
  state.revision += 1;
  const step: Step = { state, market: reader(engine), at, orderIds: new Set(), balances: new Map() };
  for (const { account, asset } of command.kind === 'post' ? command.postings : [])
    touchAsset(step, ownerOfPocket(account) ?? account, asset);
  for (const event of events) recordEvent(step, event);
  for (const orderId of step.orderIds) showOrder(state, orderId);
  for (const [account, assets] of step.balances) showBalances(state, account, assets);
  return events;
}

/** A command in progress, with the orders and balances of recorded accounts that it may have changed. */
interface Step {
  readonly state: ExchangeState;
  readonly market: MarketReader;
  readonly at: EpochMs;
  readonly orderIds: Set<EngineOrderId>;
  readonly balances: Map<AccountName, Set<Asset>>;
}

function recordEvent(step: Step, event: EngineEvent): void {
  const { state } = step;
  switch (event.kind) {
    case 'accepted': {
      const { account, orderId, symbol } = event.order;
      if (state.accounts.has(account)) state.owners.set(orderId, { account, symbol });
      touchOrder(step, orderId);
      return;
    }
    case 'trade':
      recordTradeEvent(step, event.trade);
      return;
    case 'canceled':
      touchOrder(step, event.orderId);
      return;
    case 'numbered':
    case 'refused':
      return;
  }
}

function recordTradeEvent(step: Step, trade: EngineTrade): void {
  const { state } = step;
  // Public lists only go forward: a backdated trade lies before their present.
  if (step.at >= state.lastAt) recordPrint(marketRecord(state, trade.symbol), trade, step.at);
  // A self-trade leaves two rows with one id, as both sides are the account's.
  for (const isMaker of [true, false]) {
    const record = state.accounts.get(isMaker ? trade.makerAccount : trade.takerAccount);
    if (record) recordFill(record, { row: fillRow(state, trade, isMaker), at: step.at, trade }, state.lastAt);
    touchOrder(step, isMaker ? trade.makerOrderId : trade.takerOrderId);
  }
}

function touchAsset({ state, balances }: Step, account: AccountName, asset: Asset): void {
  if (!state.accounts.has(account)) return;
  const assets = balances.get(account) ?? new Set();
  balances.set(account, assets.add(asset));
}

function touchOrder(step: Step, orderId: EngineOrderId): void {
  const owner = step.state.owners.get(orderId);
  if (!owner) return;
  step.orderIds.add(orderId);
  const { base, quote } = instrumentOf(step.market, owner.symbol);
  touchAsset(step, owner.account, base);
  touchAsset(step, owner.account, quote);
}

/** Updates the list of open orders with an order of a recorded account. */
export function showOrder(state: ExchangeState, orderId: EngineOrderId): void {
  const owner = state.owners.get(orderId);
  invariant(owner !== undefined, `Order ${orderId} has no owner.`);
  const record = accountRecord(state, owner.account);
  const row = openRow(state, orderId);
  recordChange(record.openOrders, { at: state.lastAt, key: orderId, row }, state.controls.quirks.openOrdersLagMs);
  if (row !== null) return;
  state.owners.delete(orderId);
  recordClosed(record, orderId);
}

/** An open order's present row, in the book or outside it; `null` if it is closed. */
function openRow({ engine, backOffice }: ExchangeState, orderId: EngineOrderId): ListedOrder | null {
  const order = reader(engine).order(orderId);
  if (order && order.remaining > 0) return order;
  const waiting = backOffice.waiting.get(orderId);
  return waiting ? { ...waiting, remaining: waiting.quantity } : null;
}

/** Open orders of an account, those in the book first. */
export function openOrdersOf(state: ExchangeState, account: AccountName): readonly ListedOrder[] {
  const ids = reader(state.engine)
    .ordersOf(account)
    .map((order) => order.orderId);
  for (const order of state.backOffice.waiting.values()) if (order.account === account) ids.push(order.orderId);
  return ids.flatMap((orderId) => openRow(state, orderId) ?? []);
}

function showBalances(state: ExchangeState, account: AccountName, assets: ReadonlySet<Asset>): void {
  const { wallet } = accountRecord(state, account);
  for (const asset of assets) {
    const row = walletRow(state, account, asset);
    recordChange(wallet, { at: state.lastAt, key: asset, row }, state.controls.quirks.walletLagMs);
  }
}

/** A trade from one of its sides. */
export function fillRow(state: ExchangeState, trade: EngineTrade, isMaker: boolean): FillRow {
  const instrument = instrumentOf(reader(state.engine), trade.symbol);
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

/** Of a symbol that is known to be traded here. */
export function instrumentOf(market: MarketReader, symbol: InstrumentSymbol): Instrument {
  const instrument = market.instrument(symbol);
  invariant(instrument !== undefined, `The engine doesn't know ${symbol}.`);
  return instrument;
}

// Moves money of an account between free and set aside.

/** False where less is free; then nothing has changed. */
export function setAside(state: ExchangeState, portion: Portion): boolean {
  const { account, purpose, asset, amount } = portion;
  if (amount === 0n) return true;
  if (freeOf(state, account, asset) < amount) return false;
  const { pockets } = accountRecord(state, account);
  if (!pockets.has(purpose)) {
    engineStep(state, { kind: 'open-account', account: pocketOf(account, purpose), unlimited: false }, state.lastAt);
    pockets.add(purpose);
  }
  return post(state, intoPocket(portion)) === null;
}

/** False where the pocket holds less; then nothing has changed. */
export function giveBack(state: ExchangeState, portion: Portion): boolean {
  if (portion.amount === 0n) return true;
  if (pocketBalance(reader(state.engine), portion) < portion.amount) return false;
  return post(state, outOfPocket(portion)) === null;
}

/** The free balance of an asset. */
export function freeOf(state: ExchangeState, account: AccountName, asset: Asset): Units {
  return reader(state.engine).balance(account, asset).free;
}

/** Applies all postings or none; then it returns the reason. */
export function post(state: ExchangeState, postings: readonly Posting[]): string | null {
  for (const event of engineStep(state, { kind: 'post', postings }, state.lastAt)) {
    if (event.kind === 'refused') return event.detail;
  }
  return null;
}

// An account's balance of one asset, free and set aside, as the wallet shows it.

export const EMPTY_ROW: WalletRow = { free: '0', locked: '0', lockedFd: '0', lockedStaking: '0', lockedOtc: '0' };

/** At this moment, without lags. */
export function walletRow(state: ExchangeState, account: AccountName, asset: Asset): WalletRow {
  const market = reader(state.engine);
  const { free, locked } = market.balance(account, asset);
  const text = (units: Units) => unitsText(units, state.settings.engine.assetDecimals);
  const pockets = state.accounts.get(account)?.pockets;
  if (pockets === undefined || pockets.size === 0) return { ...EMPTY_ROW, free: text(free), locked: text(locked) };
  const inPocket = (purpose: Purpose): Units =>
    pockets.has(purpose) ? pocketBalance(market, { account, purpose, asset }) : 0n;
  return {
    free: text(free),
    locked: text(locked + inPocket('order') + inPocket('withdrawal') + inPocket('p2p')),
    lockedFd: text(inPocket('fixed-deposit')),
    lockedStaking: text(inPocket('staking')),
    lockedOtc: text(inPocket('otc')),
  };
}

/** Q12: `locked` with staking and OTC, or without them. */
export function shownRow(row: WalletRow, { lockedIncludes }: Pick<Quirks, 'lockedIncludes'>): WalletRow {
  const { locked, lockedStaking, lockedOtc } = row;
  if (lockedIncludes === 'trading' || (lockedStaking === '0' && lockedOtc === '0')) return row;
  return { ...row, locked: plain(decimal(locked).add(lockedStaking).add(lockedOtc)) };
}

export function isEmptyRow(row: WalletRow): boolean {
  return Object.values(row).every((amount) => amount === '0');
}
