// Risk checks on the order by itself: steps, quantity, notional.
import { isOnLot, isOnTick } from '../../domain/rounding.ts';
import { isAmount, isPositive } from '../usable.ts';
import { type Check, deny } from './risk-context.ts';

/** Check 11: rounded before, checked again here. */
export const checkSteps: Check = ({ request: { symbol, price, quantity } }, { instrument }) => {
  const { tickSize, lotSize, minNotional } = instrument;
  if (!isPositive(tickSize) || !isPositive(lotSize) || !isAmount(minNotional)) {
    return deny(
      'steps',
      `The steps of ${symbol} are not usable: tick ${tickSize}, lot ${lotSize}, notional ${minNotional}.`,
    );
  }
  if (!isPositive(price)) return deny('steps', `Price ${price} is not a positive number (${symbol}).`);
  if (!isPositive(quantity)) return deny('steps', `Quantity ${quantity} is not a positive number (${symbol}).`);
  if (!isOnTick(price, instrument)) {
    return deny('steps', `Price ${price.toFixed()} is not a multiple of tick size ${tickSize.toFixed()} (${symbol}).`);
  }
  if (!isOnLot(quantity, instrument)) {
    return deny(
      'steps',
      `Quantity ${quantity.toFixed()} is not a multiple of lot size ${lotSize.toFixed()} (${symbol}).`,
    );
  }
  const notional = price.mul(quantity);
  if (notional.gte(minNotional)) return null;
  return deny('steps', `Notional ${notional.toFixed()} is under the minimum of ${minNotional.toFixed()} (${symbol}).`);
};

/** Check 1. */
export const checkOrderQuantity: Check = ({ request: { quantity } }, { limits: { maxOrderQuantity }, instrument }) =>
  quantity.lte(maxOrderQuantity)
    ? null
    : deny(
        'order-quantity',
        `Quantity ${quantity.toFixed()} ${instrument.base} is over the limit of ${maxOrderQuantity.toFixed()}.`,
      );

/** Check 2. */
export const checkOrderNotional: Check = ({ request: { price, quantity } }, { limits, instrument }) => {
  const limit = limits.maxOrderNotional;
  const notional = price.mul(quantity);
  if (notional.lte(limit)) return null;
  const text = `Notional ${notional.toFixed()} ${instrument.quote} is over the limit of ${limit.toFixed()}.`;
  return deny('order-notional', text);
};
