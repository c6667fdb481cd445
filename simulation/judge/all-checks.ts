// All checks of a run, in the order in which they run.
import { bookChecks } from '../checks/check-books.ts';
import { cursorChecks } from '../checks/check-cursors.ts';
import { executionChecks } from '../checks/check-execution.ts';
import { flowChecks } from '../checks/check-flows.ts';
import { livenessChecks, secrecyChecks } from '../checks/check-liveness.ts';
import { moneyChecks } from '../checks/check-money.ts';
import { resolutionChecks } from '../checks/check-resolution.ts';
import { riskChecks } from '../checks/check-risk.ts';
import { silenceChecks } from '../checks/check-silence.ts';
import { unwindChecks } from '../checks/check-unwind.ts';
import type { Checker } from '../checks/context.ts';
import { closedChecks } from '../execution/check-closed.ts';
import { needlessChecks } from '../execution/check-needless.ts';
import { slotChecks } from '../execution/check-slots.ts';
import { staleReadChecks } from '../execution/check-stale-reads.ts';
import { unknownChecks } from '../execution/check-unknown.ts';
import { exposureChecks } from '../exposure/check-exposure.ts';
import { createMayBeLive } from '../exposure/may-be-live.ts';
import { foldChecks } from '../fold/check-fold.ts';
import { lockChecks } from '../locks/check-locks.ts';
import { CANARY_KEY, CANARY_SECRET } from '../plan/configuration.ts';
import type { Plan } from '../plan/plan.ts';
import { presenceChecks } from '../presence/check-presence.ts';
import { proofChecks } from '../proofs/check-proofs.ts';
import { steeringChecks } from '../steering/check-steering.ts';

export function allChecks(plan: Plan): readonly Checker[] {
  const mayBeLive = createMayBeLive();
  return [
    executionChecks(),
    slotChecks(),
    closedChecks(),
    moneyChecks(),
    flowChecks(),
    bookChecks(),
    cursorChecks(),
    resolutionChecks(),
    riskChecks(),
    exposureChecks(mayBeLive),
    foldChecks(),
    proofChecks(),
    livenessChecks(mayBeLive),
    presenceChecks(plan, mayBeLive),
    staleReadChecks(),
    lockChecks(),
    unwindChecks(),
    steeringChecks(),
    unknownChecks(),
    needlessChecks(),
    silenceChecks(),
    secrecyChecks([CANARY_KEY, CANARY_SECRET]),
  ];
}
