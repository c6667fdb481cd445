// Limits over all accounts as reservations in the database: what an account can not reserve, it does not quote.
import { type Decimal, decimal, maxOf, ZERO } from '../../domain/decimal.ts';
import { DAY, type EpochMs } from '../../domain/time.ts';
import type { Loop } from '../../loop/loop.ts';
import { shareNeeded } from '../../trader/decision/view.ts';
import { marketIn } from '../../trader/durable/market.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import type { Settings } from '../settings/types.ts';
import type { FleetAccount } from '../state-folder/fleet-account.ts';
import { dayLossIn } from './fleet-status.ts';

type Limits = NonNullable<Settings['fleet']>;
type Shared = Pick<FleetAccount, 'reserve'>;

const REQUESTS = 'requests ';
const [BASE, LOSS] = ['base ', 'loss '];
const KEPT = decimal('0.9');
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
  readonly fleet: Shared;
  readonly now: EpochMs;
}

/** To be called in the turn in which trading begins: until the first reservation nothing of these assets is bought. */
export function beginShares(limits: Limits, loop: Trader, keeping: Keeping): void {
  for (const asset of limits.maxBase.keys()) loop.tell({ kind: 'share', asset, most: ZERO });
  keepShares(limits, loop, keeping);
}

/** Keeps the reservations as large as the account needs; to be called often. */
export function keepShares(limits: Limits, loop: Trader, { fleet, now }: Keeping): void {
  const { accounts } = limits;
  for (const [asset, limit] of limits.maxBase) keepBase(loop, { asset, limit, accounts, fleet, now });
  for (const [quote, limit] of limits.maxDayLoss) keepLoss(loop, { quote, limit, accounts, fleet, now });
}

interface Limited extends Keeping, Pick<Limits, 'accounts'> {
  readonly limit: Decimal;
}
type Base = Limited & { readonly asset: string };

/** The trader's bound is never above the reservation: it falls before it, and rises after it. */
function keepBase({ state, tell }: Trader, { asset, limit, accounts, fleet, now }: Base): void {
  if (state().durable.books.ledger === null) return;
  const most = state().shares.get(asset) ?? ZERO;
  const { held, wanted } = shareNeeded(state(), asset, now);
  if (wanted.lte(most) && wanted.gte(most.mul(KEPT))) return;
  if (wanted.lt(most)) tell({ kind: 'share', asset, most: wanted });
  const granted = fleet.reserve(`${BASE}${asset}`, { held: maxOf(held, ZERO), wanted, limit, accounts });
  if (granted !== null) tell({ kind: 'share', asset, most: granted });
}

/** Locks the symbols of a quote asset until midnight UTC where no further loss can be reserved. */
function keepLoss(
  { state, tell, snapshot }: Trader,
  { quote, limit, accounts, fleet, now }: Limited & { readonly quote: string },
): void {
  const symbols = snapshot().symbols.filter((view) => view.quote === quote);
  const sum = symbols.reduce<Decimal>((all, { risk }) => all.add(dayLossIn(risk.losses) ?? '0'), ZERO);
  const loss = maxOf(sum, ZERO);
  const day = new Date(now).toISOString().slice(0, 10);
  const wanted = loss.add(limit.mul(HEADROOM).div(accounts?.length ?? 1));
  const granted = fleet.reserve(`${LOSS}${day} ${quote}`, { held: loss, wanted, limit, accounts });
  if (granted === null || granted.gt(loss)) return;
  const until = (Math.floor(now / DAY) + 1) * DAY;
  const reason = `All accounts may lose ${limit.toFixed()} ${quote} a day (fleet.maxDayLoss): nothing is left.`;
  for (const { symbol } of symbols) {
    const isLocked = marketIn(state().durable, symbol).locks.some(
      (lock) => lock.side === null && (lock.until === null || lock.until >= until),
    );
    if (!isLocked) tell({ kind: 'lock', symbol, side: null, reason, until, by: 'fleet' });
  }
}
