// Which policy answers.
import type { TraderState } from '../state/state.ts';
import type { AccountPolicy } from './account-policy.ts';
import { dedicated } from './dedicated.ts';
import { shared } from './shared.ts';

export const policyOf = ({ settings }: Pick<TraderState, 'settings'>): AccountPolicy =>
  settings.foreignOrders === 'refuse' ? dedicated : shared;
