// Orders that the synthetic crowd draws around the latent price. Models use `number`; results are whole ticks and lots.
import type { Side } from '../domain/order.ts';
import type { CreateCommand, EngineCommand, Lots, Ticks } from '../matching/types.ts';
import { exponential, type RandomStream } from './random.ts';
import type { SyntheticMarket } from './synthetic-settings.ts';
import { CROWD_ACCOUNT, CROWD_TAKER_ACCOUNT } from './types.ts';

/** A market's settings with the numbers that each draw needs. */
export interface DrawMarket {
  readonly settings: SyntheticMarket;
  readonly tickSize: number;
  readonly lotSize: number;
  readonly minNotional: number;
}

export function drawMarket(settings: SyntheticMarket): DrawMarket {
  const { tickSize, lotSize, minNotional } = settings.instrument;
  return {
    settings,
    tickSize: tickSize.toNumber(),
    lotSize: lotSize.toNumber(),
    minNotional: minNotional.toNumber(),
  };
}

type WantedOrder = Required<Pick<CreateCommand, 'side' | 'price' | 'quantity' | 'immediateOrCancel'>>;

export interface Taker {
  readonly side: Side;
  /** The last price that the taker accepts, in quote per base. */
  readonly worst: number;
  readonly meanNotional: number;
}

/** A limit order away from the latent price by the half-spread and an exponential draw, with an exponential size. */
export function drawLimitOrder(
  market: DrawMarket,
  stream: RandomStream,
  { side, latent }: { side: Side; latent: number },
): WantedOrder {
  const { flow } = market.settings;
  const distanceBps = flow.halfSpreadBps + exponential(stream, flow.distanceDecayBps);
  const price = awayFrom(market, latent, { side, distanceBps });
  const quantity = drawQuantity(market, stream, { meanNotional: flow.meanLimitNotional, price });
  return { side, price, quantity, immediateOrCancel: false };
}

/**
 * An immediate-or-cancel order with a limit at `worst` (rounded so that it is never worse), with an exponential size.
 */
export function drawTaker(market: DrawMarket, stream: RandomStream, taker: Taker): WantedOrder {
  const { side, worst, meanNotional } = taker;
  const ticks = worst / market.tickSize;
  const price = atLeastOneTick(side === 'buy' ? Math.floor(ticks) : Math.ceil(ticks));
  return { side, price, quantity: drawQuantity(market, stream, { meanNotional, price }), immediateOrCancel: true };
}

export function createCommand(
  market: DrawMarket,
  { side, price, quantity, immediateOrCancel }: WantedOrder,
): EngineCommand {
  const { symbol } = market.settings.instrument;
  const account = immediateOrCancel ? CROWD_TAKER_ACCOUNT : CROWD_ACCOUNT;
  return { kind: 'create', account, symbol, side, price, quantity, immediateOrCancel };
}

/** The order moved outward by one tick. */
export function oneTickFurther(order: WantedOrder): WantedOrder {
  return { ...order, price: atLeastOneTick(order.side === 'buy' ? order.price - 1 : order.price + 1) };
}

function awayFrom(
  market: DrawMarket,
  latent: number,
  { side, distanceBps }: { side: Side; distanceBps: number },
): Ticks {
  const ratio = distanceBps / 10_000;
  const ticks = (latent * (side === 'buy' ? 1 - ratio : 1 + ratio)) / market.tickSize;
  return atLeastOneTick(side === 'buy' ? Math.floor(ticks) : Math.ceil(ticks));
}

/** At least the minimum notional, for any mean. */
function drawQuantity(
  market: DrawMarket,
  stream: RandomStream,
  { meanNotional, price }: { meanNotional: number; price: Ticks },
): Lots {
  const lotNotional = price * market.tickSize * market.lotSize;
  // One lot more than the quotient: floating point may leave the quotient slightly too small.
  const least = Math.ceil(market.minNotional / lotNotional) + 1;
  const drawn = Math.floor(exponential(stream, meanNotional) / lotNotional);
  return Math.max(least, drawn) as Lots;
}

function atLeastOneTick(ticks: number): Ticks {
  return Math.max(1, ticks) as Ticks;
}
