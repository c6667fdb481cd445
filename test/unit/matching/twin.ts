// The slow, obvious twin of the matching engine: an array of orders and exact fractions, straight from the rules.
//
// It exists to be compared with the engine, so it shares nothing with it but the types. Nothing is kept that can be
// worked out again: what is locked is summed over the orders each time, and the queue is sorted each time it is walked.
import type { Decimal } from '../../../src/domain/decimal.ts';
import type { Asset, Instrument, InstrumentSymbol } from '../../../src/domain/instrument.ts';
import { assertNever } from '../../../src/domain/invariant.ts';
import type { Side } from '../../../src/domain/order.ts';
import type { EpochMs } from '../../../src/domain/time.ts';
import type {
  AccountBalance,
  AccountName,
  BookLevel,
  EngineCommand,
  EngineEvent,
  EngineOrder,
  EngineSettings,
  EngineTrade,
  Posting,
  Refusal,
  Units,
} from '../../../src/matching/types.ts';
import { ceil, exact, type Fraction, floor, fractionOf, halfUp, times, whole } from './fraction.ts';
import { idOf, lots, shown, type TwinOrder, ticks } from './twin-order.ts';

export { lots, ticks } from './twin-order.ts';

type CreateCommand = Extract<EngineCommand, { kind: 'create' }>;
type ReduceCommand = Extract<EngineCommand, { kind: 'reduce' }>;
type Role = 'maker' | 'taker';

/** Where collected fees and withheld taxes go. */
export const INTERNAL_ACCOUNTS: readonly AccountName[] = ['fees', 'tax'];

export class Twin {
  readonly #settings: EngineSettings;
  /** Account → whether it is unlimited. */
  readonly #accounts = new Map<AccountName, boolean>();
  /** `account asset` → everything it has there, free and locked. */
  readonly #holdings = new Map<string, Units>();
  /** Every open order, oldest first. An incoming order is among them while it matches. */
  #orders: TwinOrder[] = [];
  /** Every order that was ever accepted, as it was created. */
  readonly issued: EngineOrder[] = [];
  readonly #lastTrades = new Map<InstrumentSymbol, EngineTrade>();
  #nextOrderNumber: bigint;
  #nextTradeNumber: bigint;

  constructor(settings: EngineSettings) {
    this.#settings = settings;
    this.#nextOrderNumber = settings.firstOrderNumber;
    this.#nextTradeNumber = settings.firstTradeNumber;
  }

  apply(command: EngineCommand, now: EpochMs): EngineEvent[] {
    if (command.kind === 'open-account') {
      if (!this.#accounts.has(command.account)) this.#accounts.set(command.account, command.unlimited);
      return [];
    }
    if (command.kind === 'post') return this.#post(command.postings);
    if (!this.#accounts.has(command.account)) return refused('unknown-account');
    switch (command.kind) {
      case 'take-number':
        this.#nextOrderNumber += 1n;
        return [{ kind: 'numbered', orderId: `1-${this.#nextOrderNumber - 1n}-1` }];
      case 'create':
        return this.#create(command, now);
      case 'cancel': {
        const order = this.#own(command.account, command.orderId);
        return order ? [this.#remove(order)] : refused('unknown-order');
      }
      case 'cancel-symbol':
        return this.#ordersOf(command.account, command.symbol).map((order) => this.#remove(order));
      case 'cancel-all':
        return this.#ordersOf(command.account).map((order) => this.#remove(order));
      case 'reduce':
        return this.#reduce(command);
      case 'requeue': {
        const order = this.#own(command.account, command.orderId);
        if (!order) return refused('unknown-order');
        this.#remove(order);
        this.#orders.push({ ...order, number: this.#nextOrderNumber });
        this.#nextOrderNumber += 1n;
        return [];
      }
      default:
        return assertNever(command);
    }
  }

  // Commands

  /** Does all of it, then looks whether anybody is worse off than he may be, and if so undoes it. */
  #post(postings: readonly Posting[]): EngineEvent[] {
    const isKnown = ({ account }: Posting) => this.#accounts.has(account) || INTERNAL_ACCOUNTS.includes(account);
    if (!postings.every(isKnown)) return refused('unknown-account');
    const free = ({ account, asset }: Posting) => this.balance(account, asset).free;
    const before = postings.map(free);
    for (const { account, asset, amount } of postings) this.#move(account, asset, amount);
    const isOverdrawn = (one: Posting, nth: number) =>
      this.#accounts.get(one.account) !== true && free(one) < 0n && free(one) < (before[nth] ?? 0n);
    if (!postings.some(isOverdrawn)) return [];
    for (const { account, asset, amount } of postings) this.#move(account, asset, -amount);
    return refused('insufficient-funds');
  }

  #reduce({ account, orderId, by }: ReduceCommand): EngineEvent[] {
    if (!isPositiveWhole(by)) return refused('invalid-quantity');
    const order = this.#own(account, orderId);
    if (!order) return refused('unknown-order');
    if (by >= order.remaining) return [this.#remove(order)];
    order.remaining -= by;
    return [];
  }

  #create(command: CreateCommand, now: EpochMs): EngineEvent[] {
    const refusal = this.#refusalOf(command);
    if (refusal) return refused(refusal);
    const instrument = this.#instrument(command.symbol);
    if (!instrument) throw new Error(`No instrument ${command.symbol}.`);
    const { account, side, price, quantity } = command;
    const number = this.#nextOrderNumber;
    this.#nextOrderNumber += 1n;
    const name = command.orderId === undefined ? number : BigInt(command.orderId.slice(2, -2));
    const order: TwinOrder = {
      number,
      name,
      account,
      instrument,
      side,
      price,
      quantity,
      remaining: quantity,
      createdAt: now,
    };
    this.#orders.push(order);
    const created = shown(order);
    this.issued.push(created);
    const events: EngineEvent[] = [{ kind: 'accepted', order: created }, ...this.#match(order, now)];
    if (order.remaining > 0 && command.immediateOrCancel === true) events.push(this.#remove(order));
    return events;
  }

  /** In the order of the rules: the first that applies is the reason. */
  #refusalOf(command: CreateCommand): Refusal | undefined {
    const { account, side, price, quantity } = command;
    const instrument = this.#instrument(command.symbol);
    if (!instrument) return 'unknown-symbol';
    if (command.orderId !== undefined && !this.#mayBeGiven(command.orderId)) return 'unknown-order';
    if (!isPositiveWhole(price)) return 'invalid-price';
    if (!isPositiveWhole(quantity)) return 'invalid-quantity';
    const { top, bottom } = this.#inUnits(fractionOf(instrument.minNotional));
    const tooSmall = this.#notional(instrument, price, quantity) * bottom < top;
    const takesOnly = command.immediateOrCancel === true;
    if (tooSmall && this.#isLimited(account)) return 'below-min-notional';
    const exempt = this.#settings.crossing === 'takes' || takesOnly;
    if (!exempt && this.#matchable(instrument, side, price).length > 0) return 'would-cross';
    if (this.#settings.selfTrade === 'reject' && this.#wouldMeetOwn(command, instrument)) return 'self-trade';
    if (!this.#isLimited(account)) return undefined;
    const { asset, amount } = this.reservation(instrument, side, price, quantity);
    return this.balance(account, asset).free < amount ? 'insufficient-funds' : undefined;
  }

  /** An id of a number that was given out, and that no open order has. */
  #mayBeGiven(id: string): boolean {
    const digits = /^1-(0|[1-9]\d{0,39})-1$/.exec(id)?.[1];
    if (digits === undefined || this.#orders.some((order) => idOf(order) === id)) return false;
    return BigInt(digits) >= this.#settings.firstOrderNumber && BigInt(digits) < this.#nextOrderNumber;
  }

  #wouldMeetOwn({ account, side, price, quantity }: CreateCommand, instrument: Instrument): boolean {
    let left = BigInt(quantity);
    for (const resting of this.#matchable(instrument, side, price)) {
      if (left <= 0n) return false;
      if (resting.account === account) return true;
      left -= BigInt(resting.remaining);
    }
    return false;
  }

  // Matching

  #match(incoming: TwinOrder, now: EpochMs): EngineEvent[] {
    const events: EngineEvent[] = [];
    while (incoming.remaining > 0) {
      const [resting] = this.#matchable(incoming.instrument, incoming.side, incoming.price);
      if (!resting) break;
      const isOwn = resting.account === incoming.account;
      if (isOwn && this.#settings.selfTrade === 'cancel-resting') events.push(this.#remove(resting));
      else events.push({ kind: 'trade', trade: this.#trade(resting, incoming, now) });
    }
    return events;
  }

  /** The resting orders that an order at this price would match, in priority: best price first, then oldest first. */
  #matchable(instrument: Instrument, side: Side, limit: number): TwinOrder[] {
    const others = this.#sorted(instrument.symbol, side === 'buy' ? 'sell' : 'buy');
    return others.filter((other) => (side === 'buy' ? other.price <= limit : other.price >= limit));
  }

  #trade(maker: TwinOrder, taker: TwinOrder, now: EpochMs): EngineTrade {
    const { instrument, price } = maker;
    const quantity = Math.min(maker.remaining, taker.remaining);
    for (const order of [maker, taker]) order.remaining -= quantity;
    this.#orders = this.#orders.filter((order) => order.remaining > 0);

    const [buyer, seller] = maker.side === 'buy' ? [maker, taker] : [taker, maker];
    const roleOf = (order: TwinOrder): Role => (order === maker ? 'maker' : 'taker');
    const notional = this.#notional(instrument, price, quantity);
    const buyerFee = this.#settleBuyer(buyer, roleOf(buyer), { notional, quantity });
    const { fee: sellerFee, tds } = this.#settleSeller(seller, roleOf(seller), { notional, quantity });

    const trade: EngineTrade = {
      tradeId: String(this.#nextTradeNumber),
      symbol: instrument.symbol,
      price: ticks(price),
      quantity: lots(quantity),
      notional,
      makerSide: maker.side,
      makerOrderId: idOf(maker),
      makerAccount: maker.account,
      makerFee: maker === buyer ? buyerFee : sellerFee,
      takerOrderId: idOf(taker),
      takerAccount: taker.account,
      takerFee: taker === buyer ? buyerFee : sellerFee,
      tds,
      at: now,
    };
    this.#nextTradeNumber += 1n;
    this.#lastTrades.set(instrument.symbol, trade);
    return trade;
  }

  /** The buyer pays the notional, gets the base, and pays his fee. Both orders' remainders are those after the fill. */
  #settleBuyer(buyer: TwinOrder, role: Role, fill: { notional: Units; quantity: number }): EngineTrade['makerFee'] {
    const { account, instrument } = buyer;
    const bought = this.#baseUnits(instrument, fill.quantity);
    this.#move(account, instrument.quote, -fill.notional);
    this.#move(account, instrument.base, bought);
    const inBase = this.#settings.buyerFeeAsset === 'base';
    const asset = inBase ? instrument.base : instrument.quote;
    const due = this.#rounded(inBase ? bought : fill.notional, this.#feeRatio(role));
    const left = this.balance(account, asset).free;
    const amount = !inBase && this.#isLimited(account) && left < due ? left : due;
    this.#move(account, asset, -amount);
    this.#move('fees', asset, amount);
    return { asset, amount };
  }

  #settleSeller(seller: TwinOrder, role: Role, fill: { notional: Units; quantity: number }) {
    const { account, instrument } = seller;
    const asset = instrument.quote;
    const amount = this.#rounded(fill.notional, this.#feeRatio(role));
    const tds = this.#rounded(fill.notional, this.#settings.tdsRatio);
    this.#move(account, instrument.base, -this.#baseUnits(instrument, fill.quantity));
    this.#move(account, asset, fill.notional - amount - tds);
    this.#move('fees', asset, amount);
    this.#move('tax', asset, tds);
    return { fee: { asset, amount }, tds };
  }

  // Money

  #inUnits(value: Fraction): Fraction {
    return times(value, whole(10n ** BigInt(this.#settings.assetDecimals)));
  }

  #notional({ tickSize, lotSize }: Instrument, price: number, quantity: number): Units {
    return exact(this.#inUnits(times(whole(price), fractionOf(tickSize), whole(quantity), fractionOf(lotSize))));
  }

  #baseUnits({ lotSize }: Instrument, quantity: number): Units {
    return exact(this.#inUnits(times(whole(quantity), fractionOf(lotSize))));
  }

  #feeRatio(role: Role): Decimal {
    return role === 'maker' ? this.#settings.makerFeeRatio : this.#settings.takerFeeRatio;
  }

  #rounded(amount: Units, ratio: Decimal): Units {
    const share = times(whole(amount), fractionOf(ratio));
    return this.#settings.rounding === 'half-up' ? halfUp(share) : floor(share);
  }

  /** What an order with this much remaining keeps locked. */
  reservation(instrument: Instrument, side: Side, price: number, remaining: number): { asset: Asset; amount: Units } {
    if (side === 'sell') return { asset: instrument.base, amount: this.#baseUnits(instrument, remaining) };
    const notional = this.#notional(instrument, price, remaining);
    if (this.#settings.buyerFeeAsset === 'base') return { asset: instrument.quote, amount: notional };
    const { makerFeeRatio, takerFeeRatio } = this.#settings;
    const worst = makerFeeRatio.gt(takerFeeRatio) ? makerFeeRatio : takerFeeRatio;
    return { asset: instrument.quote, amount: notional + ceil(times(whole(notional), fractionOf(worst))) };
  }

  #isLimited(account: AccountName): boolean {
    return this.#accounts.get(account) === false;
  }

  #move(account: AccountName, asset: Asset, amount: Units): void {
    const key = `${account} ${asset}`;
    this.#holdings.set(key, (this.#holdings.get(key) ?? 0n) + amount);
  }

  // Orders

  #instrument(symbol: InstrumentSymbol): Instrument | undefined {
    return this.#settings.instruments.find((instrument) => instrument.symbol === symbol);
  }

  #sorted(symbol: InstrumentSymbol, side: Side): TwinOrder[] {
    const orders = this.#orders.filter((order) => order.instrument.symbol === symbol && order.side === side);
    return orders.sort(
      (a, b) => (side === 'buy' ? b.price - a.price : a.price - b.price) || ascending(a.number, b.number),
    );
  }

  #ordersOf(account: AccountName, symbol?: InstrumentSymbol): TwinOrder[] {
    const own = this.#orders.filter((order) => order.account === account);
    return symbol === undefined ? own : own.filter((order) => order.instrument.symbol === symbol);
  }

  #own(account: AccountName, orderId: string): TwinOrder | undefined {
    return this.#ordersOf(account).find((order) => idOf(order) === orderId);
  }

  #remove(gone: TwinOrder): EngineEvent {
    this.#orders = this.#orders.filter((order) => order !== gone);
    return { kind: 'canceled', orderId: idOf(gone), remaining: lots(gone.remaining) };
  }

  // What may be seen

  nextOrderId(): string {
    return `1-${this.#nextOrderNumber}-1`;
  }

  balance(account: AccountName, asset: Asset): AccountBalance {
    const locks = this.#ordersOf(account).map((order) =>
      this.reservation(order.instrument, order.side, order.price, order.remaining),
    );
    const locked = locks.reduce((sum, lock) => (lock.asset === asset ? sum + lock.amount : sum), 0n);
    return { free: (this.#holdings.get(`${account} ${asset}`) ?? 0n) - locked, locked };
  }

  /** Every level of one side, from the best outwards. */
  levels(symbol: InstrumentSymbol, side: Side): BookLevel[] {
    const prices = [...new Set(this.#sorted(symbol, side).map((order) => order.price))];
    return prices.map((price) => {
      const quantity = this.queue(symbol, side, price).reduce((sum, order) => sum + order.remaining, 0);
      return { price: ticks(price), quantity: lots(quantity) };
    });
  }

  queue(symbol: InstrumentSymbol, side: Side, price: number): EngineOrder[] {
    return this.#sorted(symbol, side)
      .filter((order) => order.price === price)
      .map(shown);
  }

  openOrders(): EngineOrder[] {
    return this.#orders.map(shown);
  }

  ordersOf(account: AccountName, symbol?: InstrumentSymbol): EngineOrder[] {
    return this.#ordersOf(account, symbol).map(shown);
  }

  lastTrade(symbol: InstrumentSymbol): EngineTrade | undefined {
    return this.#lastTrades.get(symbol);
  }
}

const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
const isPositiveWhole = (value: number): boolean => Number.isSafeInteger(value) && value > 0;
const refused = (reason: Refusal): EngineEvent[] => [{ kind: 'refused', reason, detail: '' }];
