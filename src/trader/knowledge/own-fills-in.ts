// What filled of the bot's own orders, as a turn took note of it.
import type { FillRecord } from '../durable/events.ts';
import type { Turn } from '../state/turn.ts';

/** One that was booked as the owner's until this turn is one of them; one that is only booked anew is not. */
export function ownFillsIn({ events }: Turn): readonly FillRecord[] {
  return events.flatMap((event) => {
    if (event.type === 'fill') return event.payload.intentId === null ? [] : [event.payload.fill];
    return event.type === 'fill-corrected' && event.payload.attributed ? [event.payload.fill] : [];
  });
}
