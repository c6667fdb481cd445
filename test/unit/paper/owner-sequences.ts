// Random lives of an exchange: settings and steps as plain values, so that a counterexample prints readably, and what
// each step means at the moment when it is taken.
import fc from 'fast-check';
import { decimal } from '../../../src/domain/decimal.ts';
import type { AccountName } from '../../../src/matching/types.ts';
import type { LockPurpose, OwnerAction } from '../../../src/paper/state/owner-actions.ts';
import type { PaperSettings } from '../../../src/paper/state/settings.ts';
import type { OwnerExchange } from './owner-exchange.ts';
import { smallSettings } from './small-exchange.ts';

const NAMES: readonly AccountName[] = ['alice', 'bob'];
const PURPOSES: readonly LockPurpose[] = ['staking', 'otc', 'fixed-deposit', 'p2p'];

const settingsSketch = fc.record({
  makerFeeRatio: fc.constantFrom('0', '0.004', '0.0033333'),
  takerFeeRatio: fc.constantFrom('0.005', '0.0123457'),
  tdsRatio: fc.constantFrom('0', '0.01', '0.0100001'),
  rounding: fc.constantFrom('half-up', 'floor'),
  buyerFeeAsset: fc.constantFrom('quote', 'base'),
  selfTrade: fc.constantFrom('allow', 'reject', 'cancel-resting'),
  crossing: fc.constantFrom('takes', 'takes', 'rejected'),
  walletLagMs: fc.constantFrom(0, 0, 3_000),
  openOrdersLagMs: fc.constantFrom(0, 3_000),
  transfersLagMs: fc.constantFrom(0, 3_000),
  lockedIncludes: fc.constantFrom('all', 'trading'),
});
type SettingsSketch = typeof settingsSketch extends fc.Arbitrary<infer Sketch> ? Sketch : never;

export function settingsOf(sketch: SettingsSketch): PaperSettings {
  const { makerFeeRatio, takerFeeRatio, tdsRatio, rounding, buyerFeeAsset, selfTrade, crossing, ...quirks } = sketch;
  const ratios = {
    makerFeeRatio: decimal(makerFeeRatio),
    takerFeeRatio: decimal(takerFeeRatio),
    tdsRatio: decimal(tdsRatio),
  };
  const rules = { rounding, buyerFeeAsset, selfTrade, crossing };
  return smallSettings({ quirks, engine: { ...smallSettings().engine, ...ratios, ...rules } });
}

const account = fc.constantFrom(...NAMES);
const asset = fc.constantFrom('BTC', 'INR', 'ETH');
const side = fc.constantFrom('buy', 'sell');
/** Around one another, so that orders meet; in steps of the instrument's tick but for one. */
const price = fc.constantFrom('4998', '4999.5', '5000', '5000.5', '5003', '5000.25');
const quantity = fc.constantFrom('0.001', '0.333', '1', '2.5', '9.999', '0.0005', '150');
const amount = fc.constantFrom('0.00000001', '0.7', '3', '10', '999.12345678', '1000000', '0.000000001');
const fee = fc.constantFrom('0', '0', '0.00000001', '0.25');
const status = fc.constantFrom('pending', 'pending', 'success', 'failed', 'rejected');
/** Back from now, in ms. */
const ago = fc.constantFrom(0, 0, 1, 5_000, 3_600_000);
const nth = fc.nat(40);

const step = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.record({ kind: fc.constant('create' as const), account, side, price, quantity }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), account, nth }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('cancel-symbol' as const, 'cancel-all' as const), account }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('place-order' as const),
      account,
      side,
      price,
      quantity,
      stopPrice: price,
      type: fc.constantFrom('LIMIT', 'MARKET', 'MARKET', 'STOP_LIMIT', 'STOP_MARKET'),
      ago,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel-order' as const), account, nth }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('credit' as const), account, asset, amount, sign: side }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('transfer' as const),
      means: fc.constantFrom('crypto', 'fiat'),
      direction: fc.constantFrom('deposit', 'withdrawal'),
      ...{ account, asset, amount, fee, status, ago },
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('end-transfer' as const),
      nth,
      outcome: fc.constantFrom('success', 'failed', 'rejected'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('transaction-hash' as const), nth }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('sbs-trade' as const),
      account,
      coin: fc.constantFrom('BTC', 'ETH', 'DOGE'),
      side,
      price: fc.constantFrom('5000.25', '0.00012345', '300'),
      quantity: fc.constantFrom('0.00000003', '0.7', '3.14159265'),
      commission: fee,
      commissionIn: fc.constantFrom('coin', 'INR'),
      tds: fee,
      ago,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom('lock' as const, 'unlock' as const),
      account,
      asset: fc.constantFrom('BTC', 'BTC', 'INR'),
      amount: fc.constantFrom('0.00000001', '0.7', '3', '1000000'),
      purpose: fc.constantFrom(...PURPOSES, 'staking' as const),
    }),
  },
  /** What was locked most likely. */
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('unlock' as const),
      account,
      asset: fc.constant('BTC'),
      amount: fc.constantFrom('0.00000001', '0.7'),
      purpose: fc.constant('staking' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('bust-trade' as const), nth }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('correct-trade' as const), nth, price, quantity }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delay-trade' as const), account, nth }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delay-next-trades' as const), account }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('open-account' as const), nth }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, 999, 4_000) }) },
);
export type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

export const life = fc.record({
  settings: settingsSketch,
  steps: fc.array(step, { minLength: 5, maxLength: 60, size: 'max' }),
  /** Before this step the exchange is stopped, and another goes on from what it left, beside it. */
  cut: fc.nat(60),
});
export type Life = typeof life extends fc.Arbitrary<infer One> ? One : never;

/** What the owner does by a step; `null` for one that is not the owner's. */
export function actionOf(one: Step, exchange: OwnerExchange): OwnerAction | null {
  const dated = (back: number) => (back === 0 ? {} : { at: exchange.now - back });
  switch (one.kind) {
    case 'create':
    case 'cancel':
    case 'cancel-symbol':
    case 'cancel-all':
    case 'wait':
      return null;
    case 'place-order':
      return orderOf(one, dated(one.ago));
    case 'cancel-order':
      return { ...one, orderId: openOrder(exchange, one) };
    case 'credit':
      return { ...one, amount: decimal(one.amount).mul(one.sign === 'buy' ? 1 : -1) };
    case 'transfer':
      return transferOf(one, dated(one.ago));
    case 'end-transfer':
      return { ...one, transferId: transferId(exchange, one.nth) };
    case 'transaction-hash':
      return { kind: one.kind, transferId: transferId(exchange, one.nth), transactionHash: `hash ${one.nth}` };
    case 'sbs-trade': {
      const { ago: back, ...rest } = one;
      const [at, cost, tax] = [decimal(one.price), decimal(one.commission), decimal(one.tds)];
      return { ...rest, price: at, quantity: decimal(one.quantity), commission: cost, tds: tax, ...dated(back) };
    }
    case 'lock':
    case 'unlock':
      return { ...one, amount: decimal(one.amount) };
    case 'bust-trade':
      return { kind: one.kind, tradeId: tradeId(exchange, one.nth) };
    case 'correct-trade': {
      const [at, size] = [decimal(one.price), decimal(one.quantity)];
      return { kind: one.kind, tradeId: tradeId(exchange, one.nth), price: at, quantity: size };
    }
    case 'delay-trade':
      return { kind: one.kind, account: one.account, tradeId: tradeId(exchange, one.nth), forMs: 2_000 };
    case 'delay-next-trades':
      return { ...one, count: 2, forMs: 2_000 };
    case 'open-account':
      return { kind: one.kind, account: `new ${one.nth % 3}`, keys: [], balances: { INR: decimal(one.nth) } };
  }
}

function orderOf(one: Extract<Step, { kind: 'place-order' }>, dated: { at?: number }): OwnerAction {
  const [price, stopPrice] = [decimal(one.price), decimal(one.stopPrice)];
  const terms = {
    LIMIT: { type: 'LIMIT', price },
    MARKET: { type: 'MARKET' },
    STOP_LIMIT: { type: 'STOP_LIMIT', price, stopPrice },
    STOP_MARKET: { type: 'STOP_MARKET', stopPrice },
  } as const;
  const order = { account: one.account, symbol: 'BTC/INR', side: one.side, quantity: decimal(one.quantity) };
  return { kind: 'place-order', ...order, terms: terms[one.type], ...dated };
}

function transferOf(one: Extract<Step, { kind: 'transfer' }>, dated: { at?: number }): OwnerAction {
  const { means, direction } = one;
  const moved = {
    account: one.account,
    amount: decimal(one.amount),
    fee: decimal(one.fee),
    status: one.status,
    ...dated,
  };
  if (means === 'fiat') return { kind: `fiat-${direction}`, ...moved };
  const place = { network: 'BTC', transactionHash: null, fromAddress: null, toAddress: null };
  return { kind: `crypto-${direction}`, ...moved, asset: one.asset, ...place };
}

function chosen(ids: readonly string[], nth: number): string {
  return ids[nth % Math.max(1, ids.length)] ?? 'none';
}

/** Of the step's own account, or, now and then, of the other. */
export function openOrder(exchange: OwnerExchange, { account: name, nth }: { account: string; nth: number }): string {
  const whose = nth % 7 === 0 ? NAMES.find((one) => one !== name) : name;
  const ids = [...exchange.state.owners].filter(([, owner]) => owner.account === whose).map(([orderId]) => orderId);
  return chosen(ids.sort(), nth);
}

function transferId({ state }: OwnerExchange, nth: number): string {
  return chosen(
    [...state.accounts.values()].flatMap((record) => [...record.transfers.keys()]),
    nth,
  );
}

function tradeId({ state }: OwnerExchange, nth: number): string {
  return chosen(
    [...state.accounts.values()].flatMap((record) => record.fills.map(({ row }) => row.id)),
    nth,
  );
}
