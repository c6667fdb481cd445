// Bugs that are put into our own program on purpose: those of order-truth §9 up to m25, then some chosen by readers of
// the program.
import { MONEY_MUTANTS } from './money-mutants.ts';
import type { Mutant } from './mutant.ts';
import { ORDER_MUTANTS } from './order-mutants.ts';

export const MUTANTS: readonly Mutant[] = [...ORDER_MUTANTS, ...MONEY_MUTANTS];
