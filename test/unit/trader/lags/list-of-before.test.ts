// Where the bound is learned, an order that is listed again soon after it was closed tells that the bound is too short:
// unless the list left before it was closed.
import { expect, test } from '@jest/globals';
import type { Chosen } from '../../../../src/trader/durable/chosen.ts';
import type { VenueRequest } from '../../../../src/venue/requests.ts';
import { deskSettings, LAG_MS } from '../desk-settings.ts';
import { type Desk, endOf, inSlot, ops, quotingDesk, rejected } from '../trader-kit.ts';

const LEARNING = { samples: 2, margin: 3, leastMs: 2_000 };

type Kind = VenueRequest['kind'];

/** Every wallet fails from now on but one of `kinds`, which stay unanswered as creates do. */
function hold(desk: Desk, ...kinds: readonly Kind[]): void {
  desk.reply = ({ kind }) => {
    if (kind === 'create' || kinds.includes(kind)) return null;
    return kind === 'wallet' ? rejected(-1500, 500) : undefined;
  };
}

const isHeld = (desk: Desk, kind: Kind): boolean => desk.held.some(({ request }) => request.kind === kind);
function held(desk: Desk, kind: Kind): Chosen {
  const found = desk.held.find(({ request }) => request.kind === kind);
  if (found === undefined) throw new Error(`No ${kind} is on its way.`);
  return found;
}

test.each([
  ['left before it was closed tells nothing', -1, 0],
  ['left after it was closed has it canceled again', 1, 1],
])('a list that %s', (_, leftMs, times) => {
  const desk = quotingDesk(deskSettings({ assumptions: { learning: LEARNING } }));
  const bid = inSlot(desk, 'buy:0');
  const rows = desk.shows.orders;
  // The owner canceled it.
  desk.shows.orders = rows.filter(({ orderId }) => orderId !== bid.orderId);
  hold(desk);
  desk.run(LAG_MS + 3_000);
  hold(desk, 'open-orders', 'wallet');
  for (let ms = 0; ms < 60_000 && !(isHeld(desk, 'open-orders') && isHeld(desk, 'wallet')); ms += 100) desk.run(100);
  desk.answer(held(desk, 'wallet'));
  const closedAt = desk.now();
  expect(endOf(desk, bid.intentId)).toBe('canceled');
  const read = { rows, complete: true, sentAt: closedAt + leftMs, receivedAt: closedAt + 2 };
  desk.pass(2);
  desk.answer(held(desk, 'open-orders'), { kind: 'read', read });
  expect(ops(desk).filter((op) => op === 'stray-order')).toHaveLength(times);
});
