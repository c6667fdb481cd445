// One lane is silent while the other one answers: its own first answer ends that, and nothing of the other lane's does.
import { expect, test } from '@jest/globals';
import { marketOf } from '../../../../src/trader/state/state.ts';
import { BTC } from '../desk-settings.ts';
import { quotingDesk } from '../trader-kit.ts';

test.each([
  ['private', 'public'],
  ['public', 'private'],
] as const)('the %s lane', (silent, other) => {
  const desk = quotingDesk();
  const fault = { sent: true, reason: 'timeout', detail: 'Nothing came back.' } as const;
  const isSilent = (kind: string): boolean => (kind === 'order-book') === (silent === 'public');
  desk.reply = ({ kind }) => {
    if (!isSilent(kind)) return undefined;
    return { kind: kind === 'create' || kind.startsWith('cancel') ? 'unknown' : 'failed', fault };
  };
  desk.run(60_000);
  const { contact, wallet } = desk.state();
  const surface = silent === 'public' ? marketOf(desk.state(), BTC).book : wallet;
  expect(surface.failures).toBeGreaterThan(2);
  expect([contact[silent].againAt, contact[other].againAt]).toEqual([null, null]);
  const from = desk.now();
  desk.reply = () => undefined;
  desk.run(6_000);
  const { contact: now } = desk.state();
  expect(now[silent].againAt).toBeGreaterThanOrEqual(from);
  expect(now[other].againAt).toBeNull();
  expect(surface.failures).toBe(0);
  expect(now[silent].silentSince).toBeNull();
});
