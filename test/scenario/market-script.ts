// Plays a market written as text on the real engine: one command per line, its result behind the arrow.
//
//   given  makerFeeRatio 0.004             a setting, by its name; these lines come first and have no result
//   asha   deposit 1000 INR            →   opens the account with it; `withdraw` takes away
//   crowd  joins                       →   an account that may go below zero
//   asha   buy 0.5 @ 100               →   `buy-now` and `sell-now` drop what does not match at once
//   asha   cancel 3                    →   order 1-3-1; also `cancel BTC/INR` and `cancel all`
//   crowd  reduce 3 by 0.1             →
//   asha   wallet                      →   what is free, and what is locked, of each asset
//   bids                               →   the levels from the best outwards; so `asks`
//   bids at 100                        →   the queue of one price, first in line first
import { type Decimal, decimal } from '../../src/domain/decimal.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import { assertNever } from '../../src/domain/invariant.ts';
import type { Side } from '../../src/domain/order.ts';
import { applyCommand, createEngine, type EngineState, reader } from '../../src/matching/engine.ts';
import type {
  AccountName,
  EngineCommand,
  EngineEvent,
  EngineSettings,
  Lots,
  MarketReader,
  Ticks,
  Units,
} from '../../src/matching/types.ts';

const ARROW = '→';
const NOW = 1_700_000_000_000;
const ORDER = /^(buy|sell)(-now)? (\S+) @ (\S+)$/;
const MOVEMENT = /^(deposit|withdraw) (\S+) (\S+)$/;
const REDUCE = /^reduce (\d+) by (\S+)$/;
const CANCEL = /^cancel (\S+)$/;
const LEVELS = /^(bids|asks)(?: at (\S+))?$/;

const BTC_INR: Instrument = {
  symbol: 'BTC/INR',
  base: 'BTC',
  quote: 'INR',
  tickSize: decimal('0.5'),
  lotSize: decimal('0.001'),
  minNotional: decimal(10),
};

/** No fees, no tax, BTC/INR with tick 0.5, lot 0.001 and at least 10 INR an order: what a script does not set. */
const PLAIN: EngineSettings = {
  instruments: [BTC_INR],
  assetDecimals: 8,
  makerFeeRatio: decimal(0),
  takerFeeRatio: decimal(0),
  tdsRatio: decimal(0),
  rounding: 'half-up',
  buyerFeeAsset: 'quote',
  selfTrade: 'allow',
  crossing: 'takes',
  firstOrderNumber: 1n,
  firstTradeNumber: 1n,
};

/** The script with what really happened behind each arrow: equal to the script when all of it came true. */
export function play(script: string): string {
  const lines = script.split('\n');
  const market = new Market(settingsOf(lines));
  return lines
    .map((line) => {
      const [command = '', expected] = line.split(ARROW);
      if (expected === undefined) return line;
      return `${command}${ARROW} ${market.say(words(command))}`;
    })
    .join('\n');
}

const words = (text: string): string => text.trim().replace(/\s+/g, ' ');

function settingsOf(lines: readonly string[]): EngineSettings {
  let settings = PLAIN;
  for (const line of lines.map(words).filter((text) => text.startsWith('given '))) {
    settings = { ...settings, ...settingOf(line) };
  }
  return settings;
}

function settingOf(line: string): Partial<EngineSettings> {
  const [, name, value = ''] = line.split(' ');
  switch (name) {
    case 'makerFeeRatio':
    case 'takerFeeRatio':
    case 'tdsRatio':
      return { [name]: decimal(value) };
    case 'assetDecimals':
      return { assetDecimals: Number(value) };
    case 'rounding':
      return { rounding: value === 'floor' ? 'floor' : 'half-up' };
    case 'buyerFeeAsset':
      return { buyerFeeAsset: value === 'base' ? 'base' : 'quote' };
    case 'crossing':
      return { crossing: value === 'rejected' ? 'rejected' : 'takes' };
    case 'selfTrade':
      return { selfTrade: value === 'reject' || value === 'cancel-resting' ? value : 'allow' };
    default:
      throw new Error(`The script sets ${name}, which is no setting that it may set.`);
  }
}

class Market {
  readonly #one: Decimal;
  #state: EngineState;

  constructor(settings: EngineSettings) {
    this.#one = decimal(10).pow(settings.assetDecimals);
    this.#state = createEngine(settings);
  }

  say(line: string): string {
    const levels = LEVELS.exec(line);
    if (levels) return this.#levels(levels[1] === 'bids' ? 'buy' : 'sell', levels[2]);
    const [account = '', ...rest] = line.split(' ');
    const order = rest.join(' ');
    if (order === 'wallet') return this.#wallet(account);
    return (
      this.#commands(account, order)
        .map((command) => this.#apply(command))
        .at(-1) ?? ''
    );
  }

  #commands(account: AccountName, text: string): EngineCommand[] {
    if (text === 'joins') return [{ kind: 'open-account', account, unlimited: true }];
    const [, side, now, quantity = '', price = ''] = ORDER.exec(text) ?? [];
    if (side !== undefined) return [createOf(account, side === 'buy' ? 'buy' : 'sell', { quantity, price, now })];
    const [, movement, amount = '', asset = ''] = MOVEMENT.exec(text) ?? [];
    if (movement !== undefined) {
      const units = BigInt(decimal(amount).mul(this.#one).toFixed());
      const posting = { account, asset, amount: movement === 'deposit' ? units : -units };
      return [
        { kind: 'open-account', account, unlimited: false },
        { kind: 'post', postings: [posting] },
      ];
    }
    const [, reduced, by = ''] = REDUCE.exec(text) ?? [];
    if (reduced !== undefined) return [{ kind: 'reduce', account, orderId: idOf(reduced), by: lotsOf(by) }];
    const [, canceled] = CANCEL.exec(text) ?? [];
    if (canceled === undefined) throw new Error(`The script says ${account} ${text}, which is no command.`);
    if (canceled === 'all') return [{ kind: 'cancel-all', account }];
    if (canceled.includes('/')) return [{ kind: 'cancel-symbol', account, symbol: canceled }];
    return [{ kind: 'cancel', account, orderId: idOf(canceled) }];
  }

  #apply(command: EngineCommand): string {
    const { state, events } = applyCommand(this.#state, command, NOW);
    this.#state = state;
    const told = [...events.flatMap((event) => this.#told(event)), ...this.#outcome(events)];
    return told.length === 0 ? 'done' : told.join(' | ');
  }

  #told(event: EngineEvent): string[] {
    switch (event.kind) {
      case 'accepted':
      case 'numbered':
        return [];
      case 'refused':
        return [`refused ${event.reason}`];
      case 'canceled':
        return [`${numberOf(event.orderId)} canceled with ${this.#base(event.remaining)} left`];
      case 'trade': {
        const { quantity, price, makerAccount, makerOrderId } = event.trade;
        return [`${this.#base(quantity)} @ ${this.#price(price)} with ${makerAccount} ${numberOf(makerOrderId)}`];
      }
      default:
        return assertNever(event);
    }
  }

  /** What became of an accepted order, told after its trades. */
  #outcome([first, ...others]: readonly EngineEvent[]): string[] {
    if (first?.kind !== 'accepted') return [];
    const { orderId } = first.order;
    const resting = this.#reader.order(orderId);
    if (resting) return [`${numberOf(orderId)} rests with ${this.#base(resting.remaining)}`];
    const isDropped = others.some((event) => event.kind === 'canceled' && event.orderId === orderId);
    return isDropped ? [] : [`${numberOf(orderId)} filled`];
  }

  #levels(side: Side, at: string | undefined): string {
    const { symbol } = BTC_INR;
    const shown =
      at === undefined
        ? this.#reader.levels(symbol, side, 50).map((one) => `${this.#base(one.quantity)} @ ${this.#price(one.price)}`)
        : this.#reader
            .queue(symbol, side, ticksOf(at))
            .map((one) => `${one.account} ${numberOf(one.orderId)} with ${this.#base(one.remaining)}`);
    return shown.length === 0 ? 'empty' : shown.join(' | ');
  }

  #wallet(account: AccountName): string {
    return [BTC_INR.quote, BTC_INR.base]
      .map((asset) => {
        const { free, locked } = this.#reader.balance(account, asset);
        return `${this.#money(free)} ${asset}${locked === 0n ? '' : ` and ${this.#money(locked)} locked`}`;
      })
      .join(' | ');
  }

  get #reader(): MarketReader {
    return reader(this.#state);
  }

  #money(units: Units): string {
    return decimal(String(units)).div(this.#one).toFixed();
  }

  #base(quantity: Lots): string {
    return decimal(quantity).mul(BTC_INR.lotSize).toFixed();
  }

  #price(price: Ticks): string {
    return decimal(price).mul(BTC_INR.tickSize).toFixed();
  }
}

function createOf(
  account: AccountName,
  side: Side,
  text: { quantity: string; price: string; now: string | undefined },
) {
  return {
    kind: 'create' as const,
    account,
    symbol: BTC_INR.symbol,
    side,
    price: ticksOf(text.price),
    quantity: lotsOf(text.quantity),
    immediateOrCancel: text.now !== undefined,
  };
}

const idOf = (number: string): string => `1-${number}-1`;
const numberOf = (orderId: string): string => orderId.split('-')[1] ?? orderId;
const ticksOf = (price: string): Ticks => decimal(price).div(BTC_INR.tickSize).toNumber() as Ticks;
const lotsOf = (quantity: string): Lots => decimal(quantity).div(BTC_INR.lotSize).toNumber() as Lots;
