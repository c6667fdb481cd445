// Which records book a trade for an order of the bot's for the first time, be it after it was held for the owner's.
import { fillKey, type Told } from './journal-model.ts';

/** Asked once of each record, in their order. */
export type FirstOwn = (told: Told) => boolean;

export function firstOwnFills(): FirstOwn {
  const ofTheOwner = new Set<string>();
  return ({ type, payload }) => {
    if (type === 'fill-reversed') ofTheOwner.delete(keyOf(payload));
    if (type !== 'fill' && type !== 'fill-corrected') return false;
    const key = keyOf(payload.fill as Told['payload']);
    if (payload.intentId !== null) return ofTheOwner.delete(key) || type === 'fill';
    if (type === 'fill') ofTheOwner.add(key);
    return false;
  };
}

const keyOf = ({ symbol, tradeId, side }: Told['payload']): string =>
  fillKey(String(symbol), String(tradeId), String(side));
