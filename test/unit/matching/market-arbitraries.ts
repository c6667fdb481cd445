// Random markets for the comparison of the engine with its twin: settings and steps as plain values, so that a
// counterexample prints readably, and what they mean as settings and commands.
//
// Prices and quantities are few, so that orders cross and queue; purses are often exactly enough, or one unit short.
import fc from 'fast-check';
import { type Decimal, decimal } from '../../../src/domain/decimal.ts';
import type { Asset, Instrument, InstrumentSymbol } from '../../../src/domain/instrument.ts';
import type { Side } from '../../../src/domain/order.ts';
import type { AccountName, EngineCommand, EngineSettings, Posting, Units } from '../../../src/matching/types.ts';
import { INTERNAL_ACCOUNTS, lots, type Twin, ticks } from './twin.ts';

export const SYMBOLS: readonly InstrumentSymbol[] = ['BTC/INR', 'ETH/INR', 'ETH/BTC'];
export const ASSETS: readonly Asset[] = ['INR', 'BTC', 'ETH', 'XRP'];
const LIMITED: readonly AccountName[] = ['asha', 'bela', 'chand'];
export const ACCOUNTS: readonly AccountName[] = [...LIMITED, 'crowd'];
/** Never opened, or not under that name: a record used as a map would know some of them. */
const STRANGERS: readonly AccountName[] = ['nemo', '', '__proto__', 'constructor', 'toString'];
const STRANGE_IDS = ['1-0-1', '1-9007199254740992-1', 'x', '', '__proto__', 'constructor'];
const BAD_NUMBERS = [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, -0, 2 ** 53, 1e300];

/** Tick and lot of an instrument. */
const GRIDS = [
  ['0.1', '0.001'],
  ['0.5', '0.1'],
  ['1', '1'],
  ['0.05', '0.5'],
  ['10', '0.001'],
  ['0.00000001', '1'],
  ['100', '5'],
] as const;
const RATIOS = ['0', '0.001', '0.004', '0.00472', '0.0033333', '0.1', '0.3'];

const grid = fc.constantFrom(...GRIDS);
const settingsSketch = fc.record({
  grids: fc.oneof(
    grid.map((one) => [one, one, one]),
    fc.tuple(grid, grid, grid),
  ),
  minNotional: fc.constantFrom('0', '0', '0.00045', '0.6', '12'),
  /** Decimals beyond those that the grids need: none makes rounding matter most. */
  spareDecimals: fc.constantFrom(0, 0, 1, 4),
  makerFeeRatio: fc.constantFrom(...RATIOS),
  takerFeeRatio: fc.constantFrom(...RATIOS),
  tdsRatio: fc.constantFrom('0', '0.01'),
  rounding: fc.constantFrom('half-up', 'floor'),
  buyerFeeAsset: fc.constantFrom('quote', 'quote', 'base'),
  selfTrade: fc.constantFrom('allow', 'reject', 'cancel-resting'),
  crossing: fc.constantFrom('takes', 'takes', 'takes', 'rejected'),
  firstOrderNumber: fc.constantFrom(1n, 98n, 2n ** 53n - 2n, 2n ** 53n + 1n, 10n ** 20n),
  firstTradeNumber: fc.constantFrom(1n, 98n, 2n ** 53n - 2n, 2n ** 53n + 1n, 10n ** 20n),
});
type SettingsSketch = typeof settingsSketch extends fc.Arbitrary<infer Sketch> ? Sketch : never;

export function settingsOf(sketch: SettingsSketch): EngineSettings {
  const { grids, minNotional, spareDecimals, makerFeeRatio, takerFeeRatio, tdsRatio, ...rest } = sketch;
  const instruments = grids.map(([tick, lot], index): Instrument => {
    const symbol = SYMBOLS[index] ?? '';
    const [base = '', quote = ''] = symbol.split('/');
    return { symbol, base, quote, tickSize: decimal(tick), lotSize: decimal(lot), minNotional: decimal(minNotional) };
  });
  const steps = instruments.flatMap(({ tickSize, lotSize }): Decimal[] => [tickSize.mul(lotSize), lotSize]);
  return {
    ...rest,
    instruments,
    assetDecimals: Math.max(...steps.map((step) => step.decimalPlaces())) + spareDecimals,
    makerFeeRatio: decimal(makerFeeRatio),
    takerFeeRatio: decimal(takerFeeRatio),
    tdsRatio: decimal(tdsRatio),
  };
}

const rarely = <T>(rare: fc.Arbitrary<T>, usual: fc.Arbitrary<T>, outOf = 40): fc.Arbitrary<T> =>
  fc.oneof({ weight: outOf - 1, arbitrary: usual }, { weight: 1, arbitrary: rare });
const account = rarely(fc.constantFrom(...STRANGERS), fc.constantFrom(...ACCOUNTS), 60);
const anyAccount = rarely(fc.constantFrom(...INTERNAL_ACCOUNTS, 'nemo'), account, 8);
const symbol = rarely(
  fc.constantFrom('BTC/USD', '', '__proto__'),
  fc.constantFrom(...SYMBOLS, 'BTC/INR', 'BTC/INR', 'ETH/INR'),
  60,
);
const asset = fc.constantFrom(...ASSETS, 'INR');
const odd = fc.constantFrom(...BAD_NUMBERS, 2 ** 40, 2 ** 31);
const price = rarely(odd, fc.integer({ min: 1, max: 7 }));
const quantity = rarely(odd, fc.integer({ min: 1, max: 12 }));
const amount = fc.oneof(
  fc.bigInt({ min: -200n, max: 2_000n }),
  fc.constantFrom(0n, 10n ** 6n, 10n ** 12n, -(10n ** 9n)),
);

const order = fc.record({
  account,
  symbol,
  side: fc.constantFrom<Side>('buy', 'sell'),
  price,
  quantity,
  /** 'no' leaves the optional field out. */
  immediate: fc.constantFrom('no', 'no', 'no', 'false', 'true'),
});
/** Which order a step means: the nth of those open, or of all that ever were, or an id that never was. */
const which = fc.oneof(
  { weight: 8, arbitrary: fc.record({ among: fc.constant('open' as const), nth: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.record({ among: fc.constant('issued' as const), nth: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.record({ among: fc.constant('strange' as const), nth: fc.nat(40) }) },
);
/** `undefined` is the order's own account. */
const byWhom = rarely(account, fc.constant(undefined), 8);

const step = fc.oneof(
  { weight: 40, arbitrary: fc.record({ kind: fc.constant('create' as const), order }) },
  /** The account has exactly what the order needs, more or less the surplus. */
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('create-exactly' as const),
      order,
      surplus: fc.constantFrom(-1n, 0n, 0n, 0n, 1n),
    }),
  },
  /** A buy with exactly the money it needs, filled lot by lot: rounding each fill can cost more than rounding once. */
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('nibble' as const),
      buyer: fc.constantFrom(...LIMITED),
      /** `undefined` is the buyer himself. */
      seller: fc.constantFrom('crowd', 'crowd', undefined),
      /** Who rests, so who comes lot by lot. */
      resting: fc.constantFrom<Side>('buy', 'sell'),
      price: fc.integer({ min: 1, max: 7 }),
      quantity: fc.integer({ min: 2, max: 5 }),
      symbol: fc.constantFrom(...SYMBOLS),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('take-number' as const), account }) },
  /** An order under an id that waited, that is open, that was issued, or that never was. */
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('create-named' as const), order, which, isNumbered: fc.boolean() }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('post' as const),
      postings: fc.array(fc.record({ account: anyAccount, asset, amount }), { maxLength: 4 }),
      /** Whether the first account pays for what all others get. */
      isBalanced: fc.boolean(),
    }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('cancel' as const), which, byWhom }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('reduce' as const), which, byWhom, by: quantity }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('requeue' as const), which, byWhom }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel-symbol' as const), account, symbol }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel-all' as const), account }) },
  /** Takes all that is free, and one unit more where `beyond` is 1. */
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('drain' as const), account, asset, beyond: fc.constantFrom(0n, 1n) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('open-again' as const), account: fc.constantFrom(...ACCOUNTS) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
);
export type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;
type OrderSketch = Extract<Step, { kind: 'create' }>['order'];

/** What each limited account starts with, in units of every asset. The crowd starts with nothing. */
const purses = fc.tuple(...LIMITED.map(() => fc.constantFrom(10n ** 15n, 10n ** 15n, 3_000n, 0n)));

export const market = fc.record({
  settings: settingsSketch,
  purses,
  steps: fc.array(step, { minLength: 5, maxLength: 80, size: 'max' }),
});
export type MarketSketch = typeof market extends fc.Arbitrary<infer Sketch> ? Sketch : never;

/** The accounts, opened and with their purses. */
export function openingOf(sketch: MarketSketch): EngineCommand[] {
  const opened = ACCOUNTS.map(
    (name): EngineCommand => ({ kind: 'open-account', account: name, unlimited: name === 'crowd' }),
  );
  const credits = LIMITED.flatMap((name, index) =>
    ASSETS.map((of) => creditOf({ account: name, asset: of, amount: sketch.purses[index] ?? 0n })),
  );
  return [...opened, ...credits];
}

/** The commands that a step means in the market as the twin knows it. `restart` means none. */
export function commandsOf(one: Step, twin: Twin, settings: EngineSettings): EngineCommand[] {
  switch (one.kind) {
    case 'create':
      return [createOf(one.order)];
    case 'create-exactly':
      return [...fundingOf(one.order, one.surplus, { twin, settings }), createOf(one.order)];
    case 'create-named':
      return namedOf(one, twin);
    case 'post':
      return [postOf(one)];
    case 'nibble':
      return nibbleOf(one, { twin, settings });
    case 'cancel':
    case 'requeue':
    case 'reduce': {
      const { orderId, owner } = meant(one.which, twin);
      const target = { account: one.byWhom ?? owner, orderId };
      return [one.kind === 'reduce' ? { kind: 'reduce', ...target, by: lots(one.by) } : { kind: one.kind, ...target }];
    }
    case 'drain': {
      const amount = -twin.balance(one.account, one.asset).free - one.beyond;
      return [creditOf({ account: one.account, asset: one.asset, amount })];
    }
    case 'open-again':
      return [{ kind: 'open-account', account: one.account, unlimited: one.account !== 'crowd' }];
    case 'restart':
      return [];
    default:
      return [one];
  }
}

function createOf({ immediate, ...sketch }: OrderSketch): EngineCommand {
  const command = { ...sketch, kind: 'create' as const, price: ticks(sketch.price), quantity: lots(sketch.quantity) };
  if (immediate !== 'true') return immediate === 'no' ? command : { ...command, immediateOrCancel: false };
  return { ...command, immediateOrCancel: true };
}

/** With its number taken just before, or with the id of another order. */
function namedOf({ order, which, isNumbered }: Extract<Step, { kind: 'create-named' }>, twin: Twin): EngineCommand[] {
  const create = createOf(order);
  if (create.kind !== 'create') return [];
  if (!isNumbered) return [{ ...create, orderId: meant(which, twin).orderId }];
  return [
    { kind: 'take-number', account: order.account },
    { ...create, orderId: twin.nextOrderId() },
  ];
}

const creditOf = (posting: Posting): EngineCommand => ({ kind: 'post', postings: [posting] });

function postOf({ postings, isBalanced }: Extract<Step, { kind: 'post' }>): EngineCommand {
  const [first, ...others] = postings;
  if (!isBalanced || !first) return { kind: 'post', postings };
  const payments = others.map(({ asset: of, amount: paid }) => ({ account: first.account, asset: of, amount: -paid }));
  return { kind: 'post', postings: [...others, ...payments] };
}

function fundingOf(
  wanted: OrderSketch,
  surplus: Units,
  { twin, settings }: { twin: Twin; settings: EngineSettings },
): EngineCommand[] {
  const instrument = settings.instruments.find((one) => one.symbol === wanted.symbol);
  const isPlausible = [wanted.price, wanted.quantity].every((value) => Number.isSafeInteger(value) && value > 0);
  if (!instrument || !isPlausible) return [];
  const need = twin.reservation(instrument, wanted.side, wanted.price, wanted.quantity);
  const { free } = twin.balance(wanted.account, need.asset);
  return [creditOf({ account: wanted.account, asset: need.asset, amount: need.amount + surplus - free })];
}

function nibbleOf(step: Extract<Step, { kind: 'nibble' }>, market: { twin: Twin; settings: EngineSettings }) {
  const { buyer, symbol, price, quantity } = step;
  const order = { symbol, price, quantity, immediate: 'no' as const };
  const buy: OrderSketch = { ...order, account: buyer, side: 'buy' };
  const sellOneLot: OrderSketch = { ...order, account: step.seller ?? buyer, side: 'sell', quantity: 1 };
  const sells = Array.from({ length: quantity }, () => createOf(sellOneLot));
  const funded = fundingOf(buy, 0n, market);
  return step.resting === 'buy' ? [...funded, createOf(buy), ...sells] : [...sells, ...funded, createOf(buy)];
}

function meant({ among, nth }: { among: 'open' | 'issued' | 'strange'; nth: number }, twin: Twin) {
  const stranger = { orderId: STRANGE_IDS[nth % STRANGE_IDS.length] ?? '', owner: 'asha' };
  const orders = among === 'open' ? twin.openOrders() : among === 'issued' ? twin.issued : [];
  const order = orders[nth % Math.max(1, orders.length)];
  return order ? { orderId: order.orderId, owner: order.account } : stranger;
}
