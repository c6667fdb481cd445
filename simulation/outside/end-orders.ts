// The bot's orders ended by others: by the owner in another program, or by the exchange.
import { pick, type RandomStream, uniform } from '../../src/crowd/random.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import type { EpochMs } from '../../src/domain/time.ts';
import { applyOwnerAction } from '../../src/paper/owner/owner-action.ts';
import type { ExchangeState } from '../../src/paper/state/state.ts';
import type { Oracle } from '../checks/oracle.ts';

export interface EndingParts {
  readonly account: string;
  readonly oracle: Oracle;
  /** Markets in which the bot has a run. */
  readonly traded: readonly Instrument[];
  readonly exchange: () => ExchangeState;
  readonly now: () => EpochMs;
}

export interface Endings {
  /** Ends one order of the bot, or in a quarter of cases all orders of its symbol; true if there was one. */
  byOwner(stream: RandomStream): boolean;
  /** Ends one of the live orders, partly filled ones first. */
  byExpiry(stream: RandomStream): boolean;
  /** All of the account's orders in one market. */
  purge(stream: RandomStream): void;
}

const WHOLE_SYMBOL_SHARE = 1 / 4;

export function createEndings({ account, oracle, traded, exchange, now }: EndingParts): Endings {
  /** The oracle updates after each event: an order that ended since then is no longer open. */
  const open = () => oracle.live().filter(({ orderId }) => exchange().owners.has(orderId));
  const ofBot = () => open().filter(({ maker }) => maker.kind === 'bot');

  function endOne(orderId: string): void {
    oracle.endedOutside(orderId);
    applyOwnerAction(exchange(), { kind: 'cancel-order', account, orderId }, now());
  }

  function endAll(symbol: string): void {
    for (const order of open()) if (exchange().owners.get(order.orderId)?.symbol === symbol) endOne(order.orderId);
  }

  return {
    byOwner(stream) {
      const own = ofBot();
      const order = own[pick(stream, Math.max(1, own.length))];
      const isWhole = uniform(stream) < WHOLE_SYMBOL_SHARE;
      if (order === undefined) return false;
      if (isWhole) endAll(exchange().owners.get(order.orderId)?.symbol ?? '');
      else endOne(order.orderId);
      return true;
    },
    byExpiry(stream) {
      const own = ofBot();
      const inPart = own.filter(({ filled }) => filled.gt(0));
      const [from, drawn] = [inPart.length > 0 ? inPart : own, uniform(stream)];
      const order = from[Math.floor(drawn * from.length)];
      if (order !== undefined) endOne(order.orderId);
      return order !== undefined;
    },
    purge: (stream) => endAll(traded[pick(stream, traded.length)]?.symbol ?? ''),
  };
}
