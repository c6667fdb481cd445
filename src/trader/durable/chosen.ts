// A request that the planner chose, and what it is for.
import type { IntentId } from '../../domain/ids.ts';
import type { VenueRequest } from '../../venue/requests.ts';

export interface Chosen {
  readonly request: VenueRequest;
  /** Names what it reads or does: while it is in flight nothing else with this key is chosen. */
  readonly key: string;
  /** Of the order that is created or canceled. */
  readonly intentId: IntentId | null;
  /** One short phrase: what the request was spent on. */
  readonly purpose: string;
  /** Set where it is a question of a reading to the end: its answer belongs to that reading. */
  readonly reading?: true;
}

/** The key of a question of the account activity scan. */
export const ACTIVITY_KEY = 'flows';

/** Whether its answer belongs to the account activity scan: a market that was none of a run may have become one. */
export const isOfActivity = ({ key }: Pick<Chosen, 'key'>): boolean => key === ACTIVITY_KEY;
