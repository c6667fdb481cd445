// `cancel-all --everything` at the exchange: what it says of an account, with orders, without, and where a list does
// not tell (order-truth §5).
import { expect, test } from '@jest/globals';
import { cancelEverything, listEverything, type Outcome } from '../../src/bot/cancel-all/cancel-everything.ts';
import type { DurationMs } from '../../src/domain/time.ts';
import { addRule, faultOrderSchema, NO_DELIVERY_RULES } from '../../src/paper/delivery/delivery.ts';
import type { VenueRequest } from '../../src/venue/requests.ts';
import { noOrders } from '../../src/watchdog/own-orders.ts';
import { type StampedVenue, stampedVenue } from '../../src/watchdog/run-sweep.ts';
import { beginLook, beginSweep, type SweepSettings } from '../../src/watchdog/sweep-state.ts';
import { type Meeting, type MeetingOptions, paperKit } from './client-paper-kit.ts';

const kit = paperKit();

const HORIZON_MS = 600;
const SETTINGS: SweepSettings = {
  whose: 'account',
  symbols: ['BTC/INR'],
  intervalMs: 20,
  maxInFlight: 2,
  gentleMs: 100,
  longestWaitMs: 1_000,
  readLagBoundMs: 700,
  match: { earlierMs: 1_000, laterMs: 1_000 },
};

interface Account {
  readonly meeting: Meeting;
  /** What was asked so far, and when after the beginning. */
  readonly asked: readonly { readonly kind: string; readonly afterMs: DurationMs }[];
  list(withinMs?: DurationMs): Promise<Outcome>;
  cancel(withinMs?: DurationMs): Promise<Outcome>;
}

async function account(options: MeetingOptions = {}): Promise<Account> {
  const meeting = await kit.meet(options);
  const { clock } = meeting;
  const client = meeting.client();
  const asked: { kind: string; afterMs: DurationMs }[] = [];
  let beganAt = 0;
  const perform = (request: VenueRequest) => {
    asked.push({ kind: request.kind, afterMs: clock.monotonic() - beganAt });
    return client.perform(request);
  };
  const venue = stampedVenue({ perform, close: () => {} }, clock, 60_000);
  const portsOf = (given: StampedVenue) => ({ clock, venue: given, answered: () => {} });
  const begin = (): DurationMs => {
    beganAt = clock.monotonic();
    return beganAt + HORIZON_MS;
  };
  return {
    meeting,
    asked,
    list: (withinMs = 60_000) => listEverything(venue, { sweep: beginLook(SETTINGS, begin()), portsOf, withinMs }),
    cancel: (withinMs = 60_000) =>
      cancelEverything(venue, { sweep: beginSweep(SETTINGS, noOrders(null), begin()), portsOf, withinMs }),
  };
}

/** From the `skip`th on, a list is answered by this. */
function listsAre({ meeting }: Account, body: string, skip = 0): void {
  const order = { match: { endpoint: 'open-orders' }, skip, times: null, fault: { kind: 'body', body } };
  meeting.control({ delivery: addRule(NO_DELIVERY_RULES, faultOrderSchema.parse(order)) });
}

const UNREADABLE = '[{"order_id":"1-9-1","status":"A_WORD_OF_TOMORROW"}]';

test('an empty account is flat by two complete lists; nothing is canceled', async () => {
  const empty = await account();
  expect(await empty.list()).toEqual({
    flat: true,
    message: 'The account has no open order: proved by two complete lists.',
    left: { complete: true, orders: [] },
  });
  const proofs = empty.asked.filter(({ afterMs }) => afterMs >= HORIZON_MS + SETTINGS.readLagBoundMs);
  expect(proofs.length).toBeGreaterThanOrEqual(2);
  expect(new Set(empty.asked.map(({ kind }) => kind))).toEqual(new Set(['open-orders']));
});

test('an order that lists show late is found, listed and left', async () => {
  const lagging = await account({ quirks: { openOrdersLagMs: SETTINGS.readLagBoundMs } });
  await lagging.meeting.client().place('BUY 0.00100 @ 4000000.00');
  const { flat, message } = await lagging.list();
  expect({ flat, message }).toMatchObject({ flat: false, message: expect.stringContaining('these 1 orders') });
  expect(message).toContain('BTC/INR buy 0.001 @ 4000000');
  const { accounts } = await lagging.meeting.truth();
  expect(accounts.flatMap(({ orders }) => orders)).toHaveLength(1);
});

test('a list whose only row cannot be read is not flat, and says so at once', async () => {
  const strange = await account();
  listsAre(strange, UNREADABLE);
  const { flat, message } = await strange.list();
  expect(flat).toBe(false);
  expect(message).toMatch(/^The list of open orders is not complete: Row 1/);
  expect(strange.asked.length).toBeLessThan(5);
});

test('a row that cannot be read later on is no proof either, with --yes and without', async () => {
  const accounts = await Promise.all([account(), account()]);
  for (const strange of accounts) listsAre(strange, UNREADABLE, 1);
  const [listed, canceled] = await Promise.all([accounts[0].list(3_000), accounts[1].cancel(3_000)]);
  expect(listed).toMatchObject({ flat: false, message: expect.stringContaining('no proof') });
  expect(listed.message).toContain('is not complete: Row 1');
  expect(canceled).toMatchObject({ flat: false, message: expect.stringContaining('is not complete: Row 1') });
});

test('a list that is cut shows what it has, and that there may be more', async () => {
  const many = await account({ quirks: { openOrdersCap: 20 } });
  for (let order = 0; order < 21; order += 1) await many.meeting.client().place('BUY 0.00100 @ 4000000.00');
  const { flat, message } = await many.list();
  expect({ flat, message }).toMatchObject({ flat: false, message: expect.stringContaining('these 20 orders') });
  expect(message).toMatch(/is not complete: .* There may be orders that it does not show\.$/);
  expect(await many.cancel()).toMatchObject({ flat: true });
  const { accounts } = await many.meeting.truth();
  expect(accounts.flatMap(({ orders }) => orders)).toEqual([]);
});

test('lists that cannot be read are said', async () => {
  const silent = await account();
  listsAre(silent, '<html>');
  expect(await silent.list()).toEqual({ flat: false, message: 'The open orders of the account cannot be read.' });
});
