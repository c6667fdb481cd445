// Everything that watches a run, in the order in which it is asked.
import { bookChecks } from '../check-books.ts';
import { executionChecks } from '../check-execution.ts';
import { flowChecks } from '../check-flows.ts';
import { limitChecks } from '../check-limits.ts';
import { livenessChecks, secrecyChecks } from '../check-liveness.ts';
import { moneyChecks } from '../check-money.ts';
import { resolutionChecks } from '../check-resolution.ts';
import { riskChecks } from '../check-risk.ts';
import { silenceChecks } from '../check-silence.ts';
import { CANARY_KEY, CANARY_SECRET } from '../configuration.ts';
import { frozenBookChecks } from '../execution/check-frozen-book.ts';
import { moveChecks } from '../execution/check-moves.ts';
import { needlessChecks } from '../execution/check-needless.ts';
import { unknownChecks } from '../execution/check-unknown.ts';
import { exposureChecks } from '../exposure/check-exposure.ts';
import { createMayBeLive } from '../exposure/may-be-live.ts';
import { foldChecks } from '../fold/check-fold.ts';
import { gateChecks } from '../gate/check-gate.ts';
import type { Plan } from '../plan.ts';
import { accountChecks } from '../presence/check-account.ts';
import { levelChecks } from '../presence/check-levels.ts';
import { presenceChecks } from '../presence/check-presence.ts';
import { proofChecks } from '../proofs/check-proofs.ts';
import { recordChecks } from '../records/check-records.ts';
import type { Checker } from '../scene.ts';
import { shownChecks } from '../shown/check-shown.ts';
import { toldChecks } from '../words/check-told.ts';
import { wordChecks } from '../words/check-words.ts';

export function allChecks(plan: Plan): readonly Checker[] {
  const mayBeLive = createMayBeLive();
  return [
    executionChecks(),
    moneyChecks(),
    flowChecks(),
    bookChecks(),
    resolutionChecks(),
    riskChecks(),
    exposureChecks(mayBeLive),
    foldChecks(),
    proofChecks(),
    limitChecks(),
    livenessChecks(),
    presenceChecks(plan, mayBeLive),
    levelChecks(plan, mayBeLive),
    accountChecks(plan),
    moveChecks(),
    frozenBookChecks(),
    unknownChecks(),
    needlessChecks(),
    silenceChecks(),
    gateChecks(),
    recordChecks(),
    shownChecks(),
    wordChecks(),
    toldChecks(),
    secrecyChecks([CANARY_KEY, CANARY_SECRET]),
  ];
}
