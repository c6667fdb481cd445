// Limits over all accounts as reservations in the database: what an account can not reserve, it does not quote.
import { type Decimal, decimal, maxOf, ZERO } from '../../domain/decimal.ts';
import type { Asset } from '../../domain/instrument.ts';
import { DAY, type EpochMs } from '../../domain/time.ts';
import type { Loop } from '../../loop/loop.ts';
import { shareNeeded } from '../../trader/decision/view.ts';
import { marketIn } from '../../trader/durable/market.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import type { Settings } from '../settings/types.ts';
import type { FleetAccount } from '../state-folder/fleet-account.ts';
import { dayLossIn } from './fleet-status.ts';

type Limits = NonNullable<Settings['fleet']>;

const REQUESTS = 'requests ';
const [BASE, LOSS] = ['base ', 'loss '];
/** A little more is reserved than is needed, and given back late: prices move all the time. */
const AHEAD = decimal('1.05');
const KEPT = decimal('0.85');
/** Each account may lose this share of an equal part before it asks again. */
const HEADROOM = decimal('0.25');

/** Throws `StartError` (69) if this account's public requests are too many for the address. */
export function reserveRequests(
  { requestsPerSecond: limit, address, accounts }: Limits,
  wanted: number,
  fleet: FleetAccount,
): void {
  const resource = `${REQUESTS}${address}`;
  fleet.giveBack(REQUESTS, resource);
  if (limit === null) return;
  const asked = { held: ZERO, wanted: decimal(wanted), limit: decimal(limit), accounts };
  const granted = fleet.reserve(resource, asked);
  if (granted?.eq(wanted)) return;
  // Else what was left would be kept from others.
  returnRequests(fleet);
  const left = granted === null ? 'the database did not say' : `${granted.toFixed()} of ${limit} are left`;
  throw new StartError(
    EXIT.unavailable,
    `The public requests of the address ${address} are reserved by other accounts: ${wanted} a second are wanted, ` +
      `${left} (fleet.requestsPerSecond). Lower lanes.public.requestsPerSecond, or use another address.`,
  );
}

export const returnRequests = (fleet: FleetAccount): void => fleet.giveBack(REQUESTS, '');

type Trader = Pick<Loop, 'state' | 'tell' | 'snapshot'>;

interface Keeping {
  readonly limits: Limits;
  readonly loop: Trader;
  readonly fleet: Pick<FleetAccount, 'reserve'>;
}

/**
 * Keeps the reservations as large as the account needs. To be made in the turn in which trading begins: until the first
 * `keep` nothing of the limited assets is bought. `keep` is to be called often.
 */
export function shareKeeper(keeping: Keeping) {
  const { limits, loop } = keeping;
  for (const asset of limits.maxBase.keys()) loop.tell({ kind: 'share', asset, most: ZERO });
  /** By resource, so that each day begins anew. */
  const lost = new Map<string, Decimal>();
  return {
    keep(now: EpochMs): void {
      for (const [asset, limit] of limits.maxBase) keepBase(keeping, { asset, limit }, now);
      for (const [quote, limit] of limits.maxDayLoss) keepLoss(keeping, { quote, limit, lost }, now);
    },
    /** Gives back what a bot that ends will not want to buy. */
    giveBack(now: EpochMs): void {
      for (const [asset, limit] of limits.maxBase) reserveHeld(keeping, { asset, limit }, now);
    },
  };
}

interface BaseLimit {
  readonly asset: Asset;
  readonly limit: Decimal;
}

/** The trader's bound is never above the reservation: it falls before it, and rises after it. */
function keepBase({ limits, loop, fleet }: Keeping, { asset, limit }: BaseLimit, now: EpochMs): void {
  const { state, tell } = loop;
  const { accounts } = limits;
  if (state().durable.books.ledger === null) return;
  const most = state().shares.get(asset) ?? ZERO;
  const needed = shareNeeded(state(), asset, now);
  const held = maxOf(needed.held, ZERO);
  if (needed.wanted.lte(most) && needed.wanted.gte(most.mul(KEPT))) return;
  const wanted = needed.wanted.mul(AHEAD).toDecimalPlaces(8);
  if (wanted.lt(most)) tell({ kind: 'share', asset, most: wanted });
  const granted = fleet.reserve(`${BASE}${asset}`, { held, wanted, limit, accounts });
  if (granted !== null) tell({ kind: 'share', asset, most: granted });
}

/** Reserves no more than is held, counting orders that may be live. */
function reserveHeld({ limits, loop, fleet }: Keeping, { asset, limit }: BaseLimit, now: EpochMs): void {
  if (loop.state().durable.books.ledger === null) return;
  const held = maxOf(shareNeeded(loop.state(), asset, now).held, ZERO);
  fleet.reserve(`${BASE}${asset}`, { held, wanted: held, limit, accounts: limits.accounts });
}

interface LossLimit {
  readonly quote: Asset;
  readonly limit: Decimal;
  readonly lost: Map<string, Decimal>;
}

/** Locks the symbols of a quote asset until midnight UTC where no further loss can be reserved. */
function keepLoss({ limits, loop, fleet }: Keeping, { quote, limit, lost }: LossLimit, now: EpochMs): void {
  const { accounts } = limits;
  const symbols = loop.snapshot().symbols.filter((view) => view.quote === quote);
  const sum = symbols.reduce<Decimal>((all, { risk }) => all.add(dayLossIn(risk.losses) ?? '0'), ZERO);
  const loss = maxOf(sum, ZERO);
  const resource = `${LOSS}${new Date(now).toISOString().slice(0, 10)} ${quote}`;
  const headroom = limit.mul(HEADROOM).div(accounts?.length ?? 1);
  const left = lost.get(resource)?.sub(loss) ?? ZERO;
  if (left.gte(headroom.div(2)) && left.lte(headroom.mul(2))) return;
  const granted = fleet.reserve(resource, { held: loss, wanted: loss.add(headroom), limit, accounts });
  if (granted === null) return;
  lost.set(resource, granted);
  if (granted.gt(loss)) return;
  const until = (Math.floor(now / DAY) + 1) * DAY;
  const reason = `All accounts may lose ${limit.toFixed()} ${quote} a day (fleet.maxDayLoss): nothing is left.`;
  for (const { symbol } of symbols) {
    const isLocked = marketIn(loop.state().durable, symbol).locks.some(
      (lock) => lock.side === null && (lock.until === null || lock.until >= until),
    );
    if (!isLocked) loop.tell({ kind: 'lock', symbol, side: null, reason, until, by: 'fleet' });
  }
}
