// Whether money and limits have room for more orders of a side, by the exchange's truth and the wire.
import { Decimal } from '../../src/domain/decimal.ts';
import type { Side } from '../../src/domain/order.ts';
import { reader } from '../../src/matching/engine.ts';
import type { RunSettings } from '../../src/trader/state/settings.ts';
import type { CheckContext } from '../checks/context.ts';
import { midPriceOf } from '../checks/mid-price.ts';
import { distanceBpsOf, sizeOf } from '../presence/quoted.ts';
import type { Exposed } from './may-be-live.ts';
import { measuresOf } from './measures.ts';

/** Whether the orders of these levels of a side, innermost first, fit in addition to all that may be live. */
export function hasRoom(context: CheckContext, run: RunSettings, { side, levels, all }: Asked): boolean {
  const middle = midPriceOf(context, run.instrument);
  if (middle === null) return false;
  const touch = new Decimal(reader(context.exchange().engine).best(run.instrument.symbol, side)?.price ?? 0);
  const orders = levels.map((level) => orderOf(run, { side, level, middle, touch }));
  const here = all.filter((each) => each.run.instrument.symbol === run.instrument.symbol);
  const leaving = here.filter(({ where }) => where === 'leaving');
  const { limits, instrument } = run;
  const isFree = ({ slot }: Exposed): boolean => {
    const inSlot = leaving.filter((each) => each.slot === slot).length;
    return inSlot <= limits.maxLeavingPerSlot && (inSlot === 0 || leaving.length <= limits.maxLeaving);
  };
  const isMet = (order: Exposed): boolean =>
    here.some((each) => each.side !== side && (side === 'buy' ? each.ticks <= order.ticks : each.ticks >= order.ticks));
  if (!orders.every((order) => isFree(order) && !isMet(order) && isSmallEnough(order))) return false;
  const with_ = { all: [...all, ...orders], here: [...here, ...orders], created: instrument.symbol };
  return measuresOf(context, run, with_).every(({ value, most }) => value.lte(most));
}

interface Asked {
  readonly side: Side;
  readonly levels: readonly number[];
  /** All that may be live. */
  readonly all: readonly Exposed[];
}

/** An order over a limit for single orders is refused, however much room there is. */
function isSmallEnough({ run: { instrument, limits }, ticks, lots }: Exposed): boolean {
  const quantity = instrument.lotSize.mul(String(lots));
  const notional = quantity.mul(instrument.tickSize).mul(String(ticks));
  return quantity.lte(limits.maxOrderQuantity) && notional.lte(limits.maxOrderNotional);
}

interface Wanted {
  readonly side: Side;
  readonly level: number;
  readonly middle: Decimal;
  /** The best price of the side, in ticks. */
  readonly touch: Decimal;
}

function orderOf(run: RunSettings, { side, level, middle, touch }: Wanted): Exposed {
  const { tickSize, lotSize } = run.instrument;
  const distanceBps = distanceBpsOf(run, side, level);
  const price =
    distanceBps === null
      ? tickSize.mul(touch)
      : middle.mul(10_000 + (side === 'buy' ? -distanceBps : distanceBps)).div(10_000);
  const size = sizeOf(run, side, { level, price: middle });
  return {
    intentId: `one more of level ${level}`,
    run,
    side,
    slot: `${side}:${level}`,
    ticks: BigInt(price.div(tickSize).toFixed(0)),
    lots: BigInt(size.div(lotSize).toFixed(0)),
    where: 'on-its-way',
  };
}
