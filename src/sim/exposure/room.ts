// Whether money and limits have room for one more order of a side, by the exchange's truth and the wire.
import { Decimal } from '../../domain/decimal.ts';
import type { Side } from '../../domain/order.ts';
import { ratioOfBps } from '../../quoting/basis-points.ts';
import type { RunSettings } from '../../trader/settings.ts';
import { middleOf } from '../middle.ts';
import type { Scene } from '../scene.ts';
import type { Exposed } from './may-be-live.ts';
import { measuresOf } from './measures.ts';

/** The innermost order of the side, beside all that may be live. */
export function hasRoom(scene: Scene, run: RunSettings, { side, all }: Asked): boolean {
  const order = innermost(scene, run, side);
  if (order === null) return false;
  const { limits, instrument } = run;
  const here = all.filter((each) => each.run === run);
  const leaving = here.filter(({ where }) => where === 'leaving');
  const inSlot = leaving.filter(({ slot }) => slot === order.slot);
  if (inSlot.length > limits.maxLeavingPerSlot || (inSlot.length > 0 && leaving.length > limits.maxLeaving))
    return false;
  const isMet = here.some(
    (each) => each.side !== side && (side === 'buy' ? each.ticks <= order.ticks : each.ticks >= order.ticks),
  );
  const with_ = { all: [...all, order], here: [...here, order], created: instrument.symbol };
  return !isMet && measuresOf(scene, run, with_).every(({ value, most }) => value.lte(most));
}

interface Asked {
  readonly side: Side;
  /** All that may be live. */
  readonly all: readonly Exposed[];
}

function innermost(scene: Scene, run: RunSettings, side: Side): Exposed | null {
  const { tickSize, lotSize } = run.instrument;
  const middle = middleOf(scene, run.instrument);
  if (middle === null) return null;
  const { orderSize, halfSpreadBps } = run.params as Readonly<Record<'orderSize' | 'halfSpreadBps', number>>;
  const price = middle.mul(new Decimal(1).add(ratioOfBps(side === 'buy' ? -halfSpreadBps : halfSpreadBps)));
  return {
    intentId: 'one more',
    run,
    side,
    slot: `${side}:0`,
    ticks: BigInt(price.div(tickSize).toFixed(0)),
    lots: BigInt(new Decimal(String(orderSize)).div(middle).div(lotSize).toFixed(0)),
    where: 'on-its-way',
  };
}
