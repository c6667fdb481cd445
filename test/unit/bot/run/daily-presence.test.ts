// The daily line: each covers the time since the previous one, without overlap or gap.
import { expect, test } from '@jest/globals';
import type { LogEvent } from '../../../../src/bot/base/log.ts';
import { dailyPresence } from '../../../../src/bot/run/tell-run.ts';
import { HOUR, MINUTE } from '../../../../src/domain/time.ts';
import type { TimeShare } from '../../../../src/trader/presence/presence.ts';
import { btc } from '../../../browser/status-fixture.ts';

test('gives the time since the start, then since the previous line', () => {
  const said: LogEvent[] = [];
  let freshMs = 9 * HOUR;
  let lost: TimeShare['lost'] = [{ reason: 'starting', ms: HOUR }];
  const tell = dailyPresence({
    status: () => {
      const share = { freshMs, lost };
      const all = { buy: share, sell: share, both: share };
      return { trader: { symbols: [btc({ presence: { sinceStart: all, lastHour: all } })] } };
    },
    log: { logEvent: (event) => said.push(event) },
  });
  tell();
  freshMs += 23 * HOUR;
  lost = [
    { reason: 'book', ms: HOUR - MINUTE },
    { reason: 'starting', ms: HOUR },
  ];
  tell();
  expect(said.map(({ op, symbol, message }) => [op, symbol, message])).toEqual([
    [
      'day-ended',
      'BTC/INR',
      'BTC/INR: Two-sided and fresh 90.0 % of 10 h since the start (bid 90.0 %, ask 90.0 %); lost: 1 h starting.',
    ],
    [
      'day-ended',
      'BTC/INR',
      'BTC/INR: Two-sided and fresh 95.8 % of 23 h 59 min since the last summary (bid 95.8 %, ask 95.8 %); ' +
        'lost: 59 min no fresh order book.',
    ],
  ]);
});
