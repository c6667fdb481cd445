// The bot's clock is the machine's as it was at the bot's start: a machine that was suspended, or whose clock was set
// ahead, has a bot that writes horizons of the past. `cancel-all` of a bot that was killed a moment ago must wait for
// the horizon of its last create all the same.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { loadSettings } from '../../src/bot/settings/settings.ts';
import { ownOrdersFile, writeOwnOrders } from '../../src/bot/state-folder/own-orders-file.ts';
import { noOrders } from '../../src/watchdog/own-orders.ts';
import { horizonMsOf } from '../../src/watchdog/watch-settings.ts';
import { create } from '../unit/watchdog/watch-world.ts';
import { endProjects } from './bot-process.ts';
import { controlledProject } from './controlled-project.ts';

afterEach(endProjects);

const HOUR = 3_600_000;

test('an account of its own: a second cancel comes after the horizon, whatever the bot’s clock said', async () => {
  const controlled = await controlledProject({
    'account.foreignOrders': 'refuse',
    'assumptions.venueInternalLagMs': 25_000,
  });
  const { project } = controlled;
  await project.exchange();
  mkdirSync(project.stateFolder, { recursive: true, mode: 0o700 });
  const settings = await loadSettings([path.join(project.folder, project.config)]);
  const horizonMs = horizonMsOf(settings);
  // Just now, a create of a bot whose clock is an hour behind; then it was killed.
  const at = Date.now() - HOUR;
  const clock = { now: () => at, monotonic: () => 0 };
  const { instanceId } = await project.truth();
  const own = writeOwnOrders(ownOrdersFile(project.stateFolder), noOrders(instanceId), clock);
  own.note(
    [{ kind: 'sent', intentId: '1-1', create: create({ timestamp: Date.now(), horizon: at + horizonMs }) }],
    true,
  );
  own.close();
  expect((await project.command('cancel-all')).code).toBe(0);
  const cancels = (await controlled.requests()).filter(({ endpoint }) => endpoint === 'cancel-all');
  expect(cancels).toHaveLength(2);
  // The first is as late after the create as the command takes to start.
  expect((cancels[1]?.at ?? 0) - (cancels[0]?.at ?? 0)).toBeGreaterThan(horizonMs - 18_000);
});
