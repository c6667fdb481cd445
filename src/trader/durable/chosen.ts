// A request that the planner chose, and its purpose.
import type { IntentId } from '../../domain/ids.ts';
import type { VenueRequest } from '../../venue/requests.ts';

export interface Chosen {
  readonly request: VenueRequest;
  /** Names its action: while it is in flight, no other request with this key is chosen. */
  readonly key: string;
  /** The order that is created or canceled. */
  readonly intentId: IntentId | null;
  /** A short phrase for people: the purpose of the request. */
  readonly purpose: string;
  /** Set for a question of a reading to the end: its answer belongs to that reading. */
  readonly reading?: true;
}

/** The key of a question of the account activity scan. */
export const ACTIVITY_KEY = 'flows';

/** Whether its answer belongs to the account activity scan: a market without a run may have got one since. */
export const isOfActivity = ({ key }: Pick<Chosen, 'key'>): boolean => key === ACTIVITY_KEY;
