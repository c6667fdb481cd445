// Why a new order is refused. Nothing here changes the state.
import { plain } from '../domain/decimal.ts';
import { crosses } from './book.ts';
import { notionalOf, reservationOf } from './charges.ts';
import { fromUnits } from './conversion.ts';
import { type EngineState, reservedAsset } from './engine-state.ts';
import { type Account, canPay, type LiveOrder, type Market } from './market.ts';
import type { CreateCommand, EngineEvent, Refusal } from './types.ts';

type Refused = Extract<EngineEvent, { kind: 'refused' }>;

/** A create for an existing account and market. */
export interface Candidate {
  readonly command: CreateCommand;
  readonly account: Account;
  readonly market: Market;
}

export function refused(reason: Refusal, detail: string): Refused {
  return { kind: 'refused', reason, detail };
}

/**
 * The first reason that applies: invalid-price, invalid-quantity, below-min-notional, would-cross, self-trade,
 * insufficient-funds.
 */
export function refusalOf(state: EngineState, candidate: Candidate): Refused | undefined {
  return (
    refusalOfNumbers(candidate) ??
    refusalOfNotional(state, candidate) ??
    refusalOfCrossing(state, candidate) ??
    refusalOfSelfTrade(state, candidate) ??
    refusalOfFunds(state, candidate)
  );
}

export function isPositiveWhole(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

function refusalOfNumbers({ command, market }: Candidate): Refused | undefined {
  const { symbol, side, price, quantity } = command;
  if (!isPositiveWhole(price)) {
    return refused('invalid-price', `Price ${price} is not a positive whole number of ticks (${symbol}).`);
  }
  if (!isPositiveWhole(quantity)) {
    return refused('invalid-quantity', `Quantity ${quantity} is not a positive whole number of lots (${symbol}).`);
  }
  const resting = market.book.level(side, price)?.quantity ?? 0;
  if (Number.isSafeInteger(resting + quantity)) return undefined;
  return refused(
    'invalid-quantity',
    `Quantity ${quantity} is too large beside the ${resting} lots at ${price} (${symbol}).`,
  );
}

/** The venue's minimum binds its clients; a recorded or synthetic crowd trades any size. */
function refusalOfNotional(state: EngineState, { command, account, market }: Candidate): Refused | undefined {
  if (account.unlimited) return undefined;
  const notional = notionalOf(market, command.price, command.quantity);
  if (notional >= market.minNotional) return undefined;
  const { symbol, minNotional } = market.instrument;
  const stated = plain(fromUnits(notional, state.settings.assetDecimals));
  return refused('below-min-notional', `Price × quantity ${stated} is below ${plain(minNotional)} (${symbol}).`);
}

function refusalOfCrossing(state: EngineState, { command, market }: Candidate): Refused | undefined {
  if (state.settings.crossing !== 'rejected' || command.immediateOrCancel === true) return undefined;
  const opposing = market.book.opposing(command);
  if (opposing === undefined) return undefined;
  const [own, other] = [command, opposing].map(({ price }) => plain(market.instrument.tickSize.mul(price)));
  return refused('would-cross', `A ${command.side} at ${own} would trade at ${other} (${command.symbol}).`);
}

function refusalOfSelfTrade(state: EngineState, candidate: Candidate): Refused | undefined {
  if (state.settings.selfTrade !== 'reject') return undefined;
  const own = firstOwnMet(candidate);
  if (own === undefined) return undefined;
  const { account, command } = candidate;
  return refused('self-trade', `${account.name} would trade with its own ${own.info.orderId} (${command.symbol}).`);
}

/** The first order of the same account that the new one would trade with. */
function firstOwnMet({ command, account, market }: Candidate): LiveOrder | undefined {
  const { book } = market;
  let left: number = command.quantity;
  let maker = book.opposing(command);
  while (maker !== undefined && left > 0 && crosses(command, maker.price)) {
    if (maker.info.account === account) return maker;
    left -= maker.remaining;
    maker = book.after(maker);
  }
  return undefined;
}

function refusalOfFunds(state: EngineState, { command, account, market }: Candidate): Refused | undefined {
  if (account.unlimited) return undefined;
  const { side, price, quantity } = command;
  const needed = reservationOf(state.charges, { market, side, price, remaining: quantity });
  const asset = reservedAsset(market, side);
  if (canPay(account, asset, needed)) return undefined;
  const { assetDecimals } = state.settings;
  const [wants, has] = [needed, account.holdings.get(asset)?.free ?? 0n].map((units) =>
    fromUnits(units, assetDecimals),
  );
  return refused('insufficient-funds', `${account.name} needs ${wants} ${asset} and has ${has} free.`);
}
