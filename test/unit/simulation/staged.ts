// A run some minutes after its start, of which the exchange, the journal or the ledger is made to say something else.
import type { CheckContext, Checker } from '../../../simulation/checks/context.ts';
import { fold, type JournalModel, type Told } from '../../../simulation/checks/journal-model.ts';
import { START_AT } from '../../../simulation/machine/run.ts';
import { createWorld } from '../../../simulation/machine/world.ts';
import { ACCOUNT } from '../../../simulation/plan/configuration.ts';
import { drawPlan } from '../../../simulation/plan/plan.ts';
import { startVirtualTime } from '../../../src/backtest/virtual-time.ts';
import { decimal } from '../../../src/domain/decimal.ts';
import { MINUTE, SECOND } from '../../../src/domain/time.ts';
import { applyOwnerAction } from '../../../src/paper/owner/owner-action.ts';
import type { OwnerAction } from '../../../src/paper/state/owner-actions.ts';

/** A context whose journal model may be changed, and what is said to be violated in it. */
export interface Stage {
  readonly context: CheckContext;
  readonly journal: JournalModel;
  readonly broken: string[];
}

/** A run without faults, some minutes after its start: when the ledger is opened, or when the bot has traded. */
export async function staged(
  changes: Partial<CheckContext>,
  play: (stage: Stage) => void,
  minutes = 2,
): Promise<string[]> {
  const time = startVirtualTime(START_AT);
  try {
    const world = createWorld(drawPlan('7', { faults: [] }), time, {});
    world.begin();
    await time.run(START_AT + minutes * MINUTE, world.afterEvent);
    // A moment in which nothing is on its way: all that the bot traded is booked.
    const { oracle, trader } = world.context;
    const isStill = (): boolean =>
      oracle.fills.size === world.context.journal.fills.size && trader()?.reconciliation.differsSince === null;
    for (let waited = 0; waited < 10 * MINUTE && !isStill(); waited += SECOND)
      await time.run(time.clock.now() + SECOND, world.afterEvent);
    const { journal } = world.context;
    const own: JournalModel = {
      ...journal,
      byOrder: new Map(journal.byOrder),
      fills: new Map(journal.fills),
      transfers: [...journal.transfers],
      conversions: new Map(journal.conversions),
      accepted: new Map(journal.accepted),
      differences: new Map(journal.differences),
      halts: new Map(journal.halts),
    };
    const broken: string[] = [];
    const violated = (invariant: string): void => void (broken.includes(invariant) || broken.push(invariant));
    play({ context: { ...world.context, journal: own, violated, ...changes }, journal: own, broken });
    return broken;
  } finally {
    time.end();
  }
}

export function acted({ context }: Stage, action: OwnerAction): void {
  const done = applyOwnerAction(context.exchange(), action, context.now());
  if (!done.ok) throw new Error(done.error);
}

/** A record as the journal would tell it: folded, and then checked. */
export function recorded(
  { context, journal }: Stage,
  checks: Checker,
  [type, payload]: readonly [string, object],
): void {
  const told: Told = { type, seq: 1, epoch: 1, payload: payload as Told['payload'] };
  fold(journal, told, context.now());
  checks.recorded?.(context, told, {} as never);
}

/** Minutes after which the bot of that run has traded. */
export const TRADED = 9;

export const DEPOSIT = {
  kind: 'crypto-deposit',
  account: ACCOUNT,
  asset: 'BTC',
  network: 'net',
  amount: decimal(2),
  fee: decimal('0.001'),
  status: 'success',
  transactionHash: null,
  fromAddress: null,
  toAddress: null,
} as const;
export const WITHDRAWAL = {
  kind: 'fiat-withdrawal',
  account: ACCOUNT,
  amount: decimal(1000),
  fee: decimal(10),
  status: 'success',
} as const;
export const SALE = {
  kind: 'sbs-trade',
  account: ACCOUNT,
  coin: 'BTC',
  side: 'sell',
  price: decimal(5_000_000),
  quantity: decimal('0.01'),
  commission: decimal('0.00005'),
  commissionIn: 'coin',
  tds: decimal(500),
} as const;
