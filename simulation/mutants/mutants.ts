// The bugs that are put into our own program on purpose: those of order-truth §9 as far as m25, then some that readers
// of the program chose.
import { MONEY_MUTANTS } from './money-mutants.ts';
import type { Mutant } from './mutant.ts';
import { ORDER_MUTANTS } from './order-mutants.ts';

export const MUTANTS: readonly Mutant[] = [...ORDER_MUTANTS, ...MONEY_MUTANTS];
