// Which order is a create's where nobody else creates any: whatever its time says, it is one of the bot's own.
import type { OpenOrder } from '../../../domain/order.ts';
import type { Intent } from '../../durable/intent.ts';
import type { TraderState } from '../../state/state.ts';
import type { Match } from '../account-policy.ts';
import { earliestOf, isAlike, latestOf } from '../attribution/match.ts';

/** One that claims to be older than the create may be the second order of another create (F11), as its time says. */
export const matchOf = (state: TraderState, intent: Intent, row: OpenOrder): Match =>
  row.venueTime < earliestOf(state)(intent) && isOfAnother(state, row) ? 'none' : 'certain';

function isOfAnother(state: TraderState, row: OpenOrder): boolean {
  const { intents, closed } = state.durable.orders;
  return [...intents.values(), ...closed.values()].some(
    (other) =>
      other.symbol === row.symbol &&
      isAlike(other, row) &&
      row.venueTime >= earliestOf(state)(other) &&
      row.venueTime <= latestOf(state, other),
  );
}
