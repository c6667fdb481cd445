// Assets that no run trades. What the wallet holds of them is the owner's affair, but it says where a difference may
// come from: a coin that moved together with it was traded for it.
import { type Balance, totalOf } from '../../domain/balance.ts';
import type { Asset } from '../../domain/instrument.ts';
import { type Amount, amountOf, amountText, NO_AMOUNT } from '../../ledger/amount.ts';
import { assetsOfRuns } from '../state/assets.ts';
import type { TraderState } from '../state/state.ts';
import { emit, type Turn } from '../state/turn.ts';

/** Of the newest wallet. */
export function noteUntracked(state: TraderState, rows: readonly Balance[]): void {
  state.reconciliation.untracked = untrackedIn(state, rows);
}

/** Of a wallet's other coins no more are followed: each change of one is a record of the journal. */
const MOST_ASSETS = 200;

/**
 * A row of nothing is none: the wallet may list every asset that the exchange has. An amount that is not exact says
 * nothing.
 */
function untrackedIn(state: TraderState, rows: readonly Balance[]): Totals {
  const { durable, settings } = state;
  const { lockedIncludesStakingAndOtc } = settings.assumptions;
  const runs = assetsOfRuns(state);
  const held = new Map<Asset, Amount>();
  for (const row of rows) {
    if (runs.has(row.asset) || held.size >= MOST_ASSETS) continue;
    const exact = amountOf(totalOf(row, lockedIncludesStakingAndOtc));
    const total = exact.ok ? exact.value : totalIn(durable.differences.untracked, row.asset);
    if (total !== NO_AMOUNT) held.set(row.asset, total);
  }
  return held;
}

/**
 * The wallet of these rows equals the ledger: what moved after it is another difference, in this session or the next.
 * It may be an older one than the newest, which shows what has moved since.
 */
export function recordUntracked(turn: Turn, rows: readonly Balance[]): void {
  const { durable, reconciliation } = turn.state;
  if (durable.differences.unexplainedSince !== null) return;
  const now = untrackedIn(turn.state, rows);
  reconciliation.followsUntracked = true;
  const changed = changedBetween(durable.differences.untracked, now);
  if (changed.length === 0) return;
  const totals = changed.map((asset) => [asset, amountText(totalIn(now, asset))] as const);
  emit(turn, { type: 'held-elsewhere', payload: { totals, at: turn.now } });
}

/**
 * Coins whose total is another one than when the wallet last equalled the ledger, and the others where they may have
 * moved there and back: nobody looked meanwhile.
 */
export function untrackedCoins(
  { durable, reconciliation }: TraderState,
  runs: ReadonlySet<Asset>,
): { readonly moved: readonly Asset[]; readonly still: readonly Asset[] } {
  const { untracked: now, followsUntracked } = reconciliation;
  if (now === null) return { moved: [], still: [] };
  // A run that was configured since may trade one of those.
  const moved = changedBetween(durable.differences.untracked, now).filter((asset) => !runs.has(asset));
  return { moved, still: followsUntracked ? [] : [...now.keys()].filter((asset) => !moved.includes(asset)) };
}

type Totals = ReadonlyMap<Asset, Amount>;

const totalIn = (totals: Totals, asset: Asset): Amount => totals.get(asset) ?? NO_AMOUNT;

function changedBetween(then: Totals, now: Totals): Asset[] {
  const assets = new Set([...now.keys(), ...then.keys()]);
  return [...assets].filter((asset) => totalIn(now, asset) !== totalIn(then, asset));
}
