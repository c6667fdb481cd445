// The exchange as the program sees it: a question in, what became of it out.
import type { Completed } from '../venue/outcomes.ts';
import type { VenueRequest } from '../venue/requests.ts';

export interface Venue {
  /** Signs, sends once, classifies. Never throws for anything the network or the venue does. */
  perform(request: VenueRequest): Promise<Completed>;
  close(): void;
}
