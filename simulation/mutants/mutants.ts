// The faults in our own program that the tests must notice (order-truth §9, and from m26 on what a reader found
// unnoticed): each as replacements in its sources.
import { EXECUTION_MUTANTS } from '../execution/mutants-execution.ts';
import { FOLD_MUTANTS } from '../fold/mutants-fold.ts';
import { LOCK_MUTANTS } from '../locks/mutants-locks.ts';
import { PRESENCE_MUTANTS } from '../presence/mutants-presence.ts';
import { PROOF_MUTANTS } from '../proofs/mutants-proofs.ts';
import { QUOTE_MUTANTS } from '../quotes/mutants-quotes.ts';
import { STEERING_MUTANTS } from '../steering/mutants-steering.ts';
import { WATCHDOG_MUTANTS } from '../watchdog/mutants-watchdog.ts';
import type { Mutant } from './mutant-row.ts';
import { EXPOSURE_MUTANTS } from './mutants-exposure.ts';
import { MACHINE_MUTANTS } from './mutants-machine.ts';
import { MONEY_MUTANTS } from './mutants-money.ts';
import { ORDER_MUTANTS } from './mutants-orders.ts';
import { OWNER_MUTANTS } from './mutants-owner.ts';

const byNumber = new Intl.Collator('en', { numeric: true });

export const MUTANTS: readonly Mutant[] = [
  ...ORDER_MUTANTS,
  ...MONEY_MUTANTS,
  ...OWNER_MUTANTS,
  ...EXPOSURE_MUTANTS,
  ...FOLD_MUTANTS,
  ...PRESENCE_MUTANTS,
  ...EXECUTION_MUTANTS,
  ...LOCK_MUTANTS,
  ...STEERING_MUTANTS,
  ...PROOF_MUTANTS,
  ...MACHINE_MUTANTS,
  ...WATCHDOG_MUTANTS,
  ...QUOTE_MUTANTS,
].toSorted((a, b) => byNumber.compare(a.id, b.id));
