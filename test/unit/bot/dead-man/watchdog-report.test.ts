// The watchdog's own status in the state folder.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { watchdogReport } from '../../../../src/bot/dead-man/watchdog-report.ts';
import { loadSettings } from '../../../../src/bot/settings/settings.ts';
import { realClock } from '../../../../src/ports/clock.ts';
import { testFolder } from '../test-folder.ts';

const folder = testFolder();

const figures = (): string => readFileSync(path.join(folder, 'watchdog.prom'), 'utf8');

test('the metrics of an ended watchdog do not claim that it watches and the bot is alive', async () => {
  const settings = await loadSettings(['config/paper.yaml']);
  const report = watchdogReport({ ...settings, stateFolder: folder }, realClock, () => []);
  const state = { phase: 'watching', lived: true, silentSince: 1, kill: null } as never;
  report.show(state);
  for (const figure of ['bot_alive', 'exchange_silent', 'phase{phase="watching"}'])
    expect(figures()).toContain(`quotekeeper_watchdog_${figure} 1`);
  report.end(state, 0);
  for (const figure of ['bot_alive', 'exchange_silent', 'phase{phase="watching"}'])
    expect(figures()).toContain(`quotekeeper_watchdog_${figure} 0`);
  expect(figures()).toContain('quotekeeper_watchdog_phase{phase="done"} 1');
});
