// A server whose clock is off: its `Date` headers tell by how much, and stamps made by the estimate are accepted.
import { describe, expect, test } from '@jest/globals';
import {
  type ClockEstimate,
  estimate,
  observe,
  type ServerClock,
  startServerClock,
} from '../../src/client/clock/server-clock.ts';
import type { Completed } from '../../src/venue/outcomes.ts';
import type { Stamp, VenueRequest } from '../../src/venue/requests.ts';
import type { PaperClient } from './client-paper-client.ts';
import { type Meeting, paperKit } from './client-paper-kit.ts';
import { orderOf, verdictOf } from './client-paper-words.ts';

const kit = paperKit();
/** That of a create: it shows whether a stamp is good enough. */
const recvWindowMs = 2_500;

/** What is learned of the server's clock, answer by answer. */
class Learner {
  #clock: ServerClock = startServerClock();
  readonly #meeting: Meeting;

  constructor(meeting: Meeting) {
    this.#meeting = meeting;
  }

  /** Takes one answer in, and says what is known after it. */
  learn({ facts }: Completed): ClockEstimate {
    const { sentAt, receivedAt, venueDate } = facts;
    if (venueDate === undefined) throw new Error('The answer has no date.');
    const mono = receivedAt - this.#meeting.wallMinusMono();
    const { state, news } = observe(this.#clock, { sentAt, receivedAt, venueDate, mono });
    this.#clock = state;
    expect(news).toBeNull();
    const known = estimate(state, { now: receivedAt, mono });
    if (known === null) throw new Error('Nothing is known after an answer.');
    return known;
  }
}

const signedRequests: readonly ((stamp: Stamp) => VenueRequest)[] = [
  (stamp) => ({ kind: 'wallet', stamp }),
  (stamp) => ({ kind: 'create', order: orderOf('BUY 0.00100 @ 4000000.00'), stamp }),
  (stamp) => ({ kind: 'cancel-all', stamp }),
];

async function verdicts(client: PaperClient, stamp: () => Stamp): Promise<readonly string[]> {
  const all: string[] = [];
  for (const request of signedRequests) all.push(verdictOf(await client.perform(request(stamp()))));
  return all;
}

const refused = Array(3).fill('rejected 400 -1021 sync-clock');
const accepted = ['read', 'accepted', 'acknowledged'];

describe.each([3_000, -6_000, 45_000, -3_600_000])('a server whose clock is %i ms ahead', (aheadMs) => {
  test('refuses stamps by our own clock, and takes those by an estimate from one answer', async () => {
    const meeting = await kit.meet({ aheadMs });
    const client = meeting.client({ recvWindowMs });
    const learner = new Learner(meeting);
    expect(await verdicts(client, () => client.stamp())).toEqual(refused);
    // A refusal has a date like any other answer.
    const { offsetMs, uncertaintyMs } = learner.learn(await client.perform({ kind: 'wallet', stamp: client.stamp() }));
    expect(Math.abs(offsetMs - aheadMs)).toBeLessThanOrEqual(uncertaintyMs);
    expect(await verdicts(client, () => client.stamp(offsetMs))).toEqual(accepted);
  });
});

test('a server that is half a second off is within a create’s window without any estimate', async () => {
  const meeting = await kit.meet({ aheadMs: 500 });
  const client = meeting.client({ recvWindowMs });
  expect(await verdicts(client, () => client.stamp())).toEqual(accepted);
});
