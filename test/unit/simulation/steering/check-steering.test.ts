// K15: what the judge says of revisions that are missing, and of pauses.
import { expect, test } from '@jest/globals';
import type { CheckContext } from '../../../../simulation/checks/context.ts';
import type { Told } from '../../../../simulation/checks/journal-model.ts';
import { steeringChecks } from '../../../../simulation/steering/check-steering.ts';

type Happens = readonly [type: string, payload: object];

const BTC = { symbol: 'BTC/INR' };
const begun: Happens = ['session-started', {}];
const paused: Happens = ['pause', { reason: 'No watchdog.' }];
const revised = (revision: number): Happens => ['run-revised', { ...BTC, revision }];
const intent = (revision?: number): Happens => ['intent', { ...BTC, intentId: '1-9', revision }];

test.each<[string, readonly Happens[], readonly string[]]>([
  ['an order of a run that nobody changed', [begun, intent()], []],
  ['an order of a revised run', [begun, revised(1), intent(1)], []],
  ['an order after a pause', [begun, paused, ['pause', { reason: null }], intent()], []],
  ['an order after a start in a pause', [begun, paused, begun, intent()], []],
  ['a revision that is left out', [begun, revised(2)], ['Record 1: revision 2 comes after 0.']],
  ['an order of the revision before', [revised(1), intent()], ['Intent 1-9 names revision 0, and 1 is on.']],
  ['an order in a pause', [begun, paused, intent()], ['Intent 1-9 was written in a pause: No watchdog.']],
  ['a create in a pause', [paused, ['create leaves', {}]], ['The create of 1-9 left in a pause: No watchdog.']],
])('%s', (_words, course, expected) => {
  const broken: string[] = [];
  const context = {
    isUp: () => true,
    violated: (_invariant: string, sentence: string) => broken.push(sentence),
  } as unknown as CheckContext;
  const checks = steeringChecks();
  for (const [index, [type, payload]] of course.entries()) {
    const told: Told = { type, seq: index, epoch: 1, payload: payload as Told['payload'] };
    if (type === 'create leaves') checks.sent?.(context, { endpoint: 'create', intent: { intentId: '1-9' } } as never);
    else checks.recorded?.(context, told, {} as never);
  }
  expect(broken).toEqual(expected);
});
