// What is counted in a row: a success in between begins the count anew, a failure of another kind does not.
import { describe, expect, test } from '@jest/globals';
import type { VenueRequest } from '../../../src/venue/requests.ts';
import { BTC, deskSettings } from './desk-settings.ts';
import {
  accepted,
  type Desk,
  nextCreate,
  notSent,
  quotingDesk,
  readyDesk,
  refusedForRate,
  rejected,
  unknown,
} from './trader-kit.ts';

const [refused, otherwise] = [rejected(-5010), rejected(-5012)];
const taken = accepted('1-7-1');

const market = (desk: Desk) => {
  const found = desk.state().markets.get(BTC);
  if (found === undefined) throw new Error('No market.');
  return found;
};

describe('creates', () => {
  test.each<[string, readonly Parameters<Desk['answer']>[1][], { refusals: number; unsent: number }]>([
    ['refused twice, taken, refused', [refused, refused, taken, refused], { refusals: 1, unsent: 0 }],
    ['refused, refused for another reason', [refused, refused, otherwise], { refusals: 1, unsent: 0 }],
    ['refused, not sent, refused', [refused, notSent, refused], { refusals: 2, unsent: 0 }],
    ['refused, lost, refused', [refused, unknown, refused], { refusals: 2, unsent: 0 }],
    ['refused, refused for the rate, refused', [refused, refusedForRate, refused], { refusals: 2, unsent: 0 }],
    ['not sent three times', [notSent, notSent, notSent], { refusals: 0, unsent: 3 }],
    ['not sent, taken, not sent', [notSent, notSent, taken, notSent], { refusals: 0, unsent: 1 }],
    ['not sent, refused, not sent', [notSent, notSent, refused, notSent], { refusals: 1, unsent: 1 }],
  ])('%s', (_, outcomes, { refusals, unsent }) => {
    const desk = readyDesk({ ...deskSettings(), maxConsecutiveRejects: 9 });
    for (const outcome of outcomes) desk.answer(nextCreate(desk, 60_000), outcome);
    expect([market(desk).rejects.inARow, market(desk).unsent.inARow]).toEqual([refusals, unsent]);
  });
});

describe('reads', () => {
  const key = rejected(-2015, 403);
  const lost = { kind: 'failed', fault: { sent: true, reason: 'timeout', detail: 'No answer.' } } as const;

  /** Reads of the wallet that end so; undefined is the wallet itself. */
  function walletsThat(outcomes: readonly (typeof key | typeof lost | undefined)[]): Desk {
    const desk = quotingDesk();
    for (const outcome of outcomes) {
      desk.reply = () => outcome;
      desk.look('wallet');
    }
    return desk;
  }

  test.each<[string, Parameters<typeof walletsThat>[0], number | undefined]>([
    ['refused for the key, answered, refused', [key, key, undefined, key], 1],
    ['refused for the key, lost, refused', [key, lost, key], 2],
    ['refused for the key, answered', [key, key, undefined], undefined],
  ])('%s', (_, outcomes, inARow) => {
    expect(walletsThat(outcomes).state().refusal?.inARow).toBe(inARow);
  });

  test.each<[string, Parameters<typeof walletsThat>[0], number]>([
    ['failed three times', [lost, lost, lost], 3],
    ['failed, answered, failed', [lost, lost, undefined, lost], 1],
  ])('%s', (_, outcomes, failures) => {
    expect(walletsThat(outcomes).state().wallet.failures).toBe(failures);
  });
});

test('repeated cancels are counted until something else leaves, reads until a create leaves', () => {
  const desk = quotingDesk();
  let before = desk.state().requests.readsSinceCreate;
  const seen: { kind: VenueRequest['kind']; repeated: number; reads: number }[] = [];
  desk.reply = ({ kind }) => {
    const { cancelsRepeated: repeated, readsSinceCreate: reads } = desk.state().requests;
    if (kind !== 'order-book') seen.push({ kind, repeated, reads });
    if (kind !== 'cancel' || desk.now() % 3_000 < 1_000) return undefined;
    return { kind: 'unknown', fault: { sent: true, reason: 'timeout', detail: 'No answer.' } };
  };
  for (const price of [98_000, 99_500, 97_500, 99_000]) {
    desk.shows.books[BTC] = [price, price + 2_000];
    desk.run(8_000);
  }
  for (const { kind, repeated, reads } of seen) {
    if (kind !== 'cancel') expect([kind, repeated]).toEqual([kind, 0]);
    if (kind === 'create') expect(reads).toBe(0);
    else if (kind === 'cancel') expect(reads).toBe(before);
    else expect(reads).toBe(before + 1);
    before = reads;
  }
  expect(seen.some(({ repeated }) => repeated > 0)).toBe(true);
  expect(seen.filter(({ kind }) => kind === 'create').length).toBeGreaterThan(0);
});
