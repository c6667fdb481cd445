// The list lags, on a terminal and in the list of what needs a person.
import { describe, expect, test } from '@jest/globals';
import { statusLines } from '../../../../src/bot/status/status-table.ts';
import { NOW, statusFixture } from '../../../browser/status-fixture.ts';

test('`status` says what is assumed, and what was proved of each kind', () => {
  const lines = statusLines(statusFixture());
  const from = lines.findIndex((line) => line.startsWith('Lists are assumed'));
  expect(lines.slice(from, from + 4)).toEqual([
    'Lists are assumed to trail by 120 s at most (assumptions.readLagBoundMs); proved since the start:',
    '  new orders listed    at most 2.1 s (half 0.4 s, 99 % 2 s), at least 1.5 s; of 412, the last 42 s ago',
    '  ended orders gone    at most 2.2 s (half 0.4 s, 99 % 1.9 s), at least 1.5 s; of 398, the last 42 s ago',
    '  fills in own trades  at most 2.6 s (half 0.8 s, 99 % 2.6 s), at least 1.3 s; of 87, the last 42 s ago',
  ]);
});

describe('a broken assumption', () => {
  const { readLags } = statusFixture().trader;
  const broken = { kind: 'trades', at: NOW - 60_000, atLeastMs: 130_400 } as const;

  test('needs a person, and says what to do', () => {
    const { attentions } = statusFixture({ readLags: { ...readLags, broken } });
    expect(attentions).toEqual([
      {
        about: 'lag-bound',
        tone: 'stop',
        remedy: null,
        what:
          'Own trades lacked a fill 130.4 s later, and 120.0 s at most are assumed ' +
          '(assumptions.readLagBoundMs): what was proved by that may be wrong.',
        next: expect.stringMatching(/^Raise assumptions\.readLagBoundMs above it and restart; .* shown here\.$/),
      },
    ]);
  });
});
