// K15: what the judge says of revisions that are missing or wrong, of what is resumed without a start, and of pauses.
import { expect, test } from '@jest/globals';
import type { CheckContext } from '../../../../simulation/checks/context.ts';
import type { Told } from '../../../../simulation/checks/journal-model.ts';
import { steeringChecks } from '../../../../simulation/steering/check-steering.ts';

type Happens = readonly [type: string, payload: object];

const BTC = { symbol: 'BTC/INR' };
const SPREAD = 'params.halfSpreadBps';

/** What K15 says of these records, where the last of them is by these parameters. */
function judged(parameters: Readonly<Record<string, string>>, ...course: readonly Happens[]): string[] {
  const broken: string[] = [];
  let asked: Readonly<Record<string, string>> = {};
  const context = {
    get settings() {
      return { runs: [{ instrument: BTC, parameters: asked }] };
    },
    isUp: () => true,
    violated: (_invariant: string, sentence: string) => broken.push(sentence),
    oracle: { live: () => [{ orderId: '1-5-1' }] },
  } as unknown as CheckContext;
  const checks = steeringChecks();
  for (const [index, [type, payload]] of course.entries()) {
    if (type !== 'session-started') asked = parameters;
    const told: Told = { type, seq: index, epoch: 1, payload: { at: index, ...payload } };
    if (type === 'create leaves') checks.sent?.(context, { endpoint: 'create', intent: payload } as never);
    else checks.recorded?.(context, told, {} as never);
  }
  return broken;
}

const begun: Happens = ['session-started', {}];
const revised = (revision: number, from: string | null, to: string | null): Happens => [
  'run-revised',
  { ...BTC, revision, changes: [{ path: SPREAD, from, to }], by: 'asha' },
];
const intent = (revision?: number): Happens => ['intent', { ...BTC, intentId: '1-9', revision }];
const halted = (code: string): Happens => ['symbol-halted', { ...BTC, code }];
const resumed = (more: object = {}): Happens => ['symbol-resumed', { ...BTC, ...more }];

test.each<[string, Readonly<Record<string, string>>, readonly Happens[]]>([
  ['an order of a run that nobody changed', {}, [begun, intent()]],
  ['an order of a revised run', { [SPREAD]: '60' }, [begun, revised(1, null, '60'), intent(1)]],
  ['a jump that a person resumed', {}, [begun, halted('price'), resumed({ by: 'asha' }), intent()]],
  ['what a start resumed', {}, [begun, halted('order-unknown'), resumed(), intent()]],
  ['an order after a pause', {}, [begun, ['paused', { reason: 'No watchdog.' }], ['resumed', {}], intent()]],
  ['an order after a start in a pause', {}, [begun, ['paused', { reason: 'No watchdog.' }], begun, intent()]],
])('%s is right', (_words, parameters, course) => {
  expect(judged(parameters, ...course)).toEqual([]);
});

test.each<[string, Readonly<Record<string, string>>, readonly Happens[], RegExp]>([
  [
    'a revision that is left out',
    { [SPREAD]: '60' },
    [begun, revised(2, null, '60')],
    /^Record 1 of BTC\/INR: revision 2 comes after 0\.$/,
  ],
  [
    'a revision that changes nothing',
    { [SPREAD]: '60' },
    [begun, revised(1, null, '60'), ['run-revised', { ...BTC, revision: 2, changes: [], by: 'start' }]],
    /^Record 2 of BTC\/INR: revision 2 changes nothing\.$/,
  ],
  [
    'a value that was another before',
    { [SPREAD]: '60' },
    [begun, revised(1, '90', '60')],
    /params\.halfSpreadBps was unset, and is said to have been 90/,
  ],
  [
    'a revision to what nobody asked for',
    { [SPREAD]: '60' },
    [begun, revised(1, null, '61')],
    /the journal says params\.halfSpreadBps 61, and params\.halfSpreadBps 60 is asked for/,
  ],
  [
    'an order by parameters that no revision tells',
    { [SPREAD]: '60' },
    [begun, intent()],
    /Intent 1-9 of BTC\/INR: the journal says what is configured, and params\.halfSpreadBps 60 is asked for/,
  ],
  [
    'an order of the revision before',
    { [SPREAD]: '60' },
    [begun, revised(1, null, '60'), intent()],
    /Intent 1-9 names revision 0, and 1 is on/,
  ],
  [
    'an order in question that is open, and that a person resumed in the running bot',
    {},
    [
      begun,
      ['orders-questioned', { symbol: 'BTC/INR', orders: ['1-5-1'] }],
      halted('order-unknown'),
      resumed({ by: 'asha' }),
    ],
    /BTC\/INR was halted for order-unknown, and resumed without a start/,
  ],
  [
    'an order that is written in a pause',
    {},
    [begun, ['paused', { reason: 'No watchdog.' }], intent()],
    /Intent 1-9 was written in a pause: No watchdog\./,
  ],
  [
    'a create that leaves in a pause',
    {},
    [begun, intent(), ['paused', { reason: 'No watchdog.' }], ['create leaves', { intentId: '1-9' }]],
    /The create of 1-9 left in a pause/,
  ],
])('%s is wrong', (_words, parameters, course, sentence) => {
  expect(judged(parameters, ...course)).toEqual([expect.stringMatching(sentence)]);
});
