// The latch is taken off and set again while the watchdog still cancels for a bot that is gone: what a new bot placed
// meanwhile is neither proved gone nor to be forgotten.
import { afterEach, expect, test } from '@jest/globals';
import { ownOrdersFile, readOwnOrders } from '../../src/bot/state-folder/own-orders-file.ts';
import { endProjects, STILL } from './bot-process.ts';
import { watchedProject } from './watchdog-project.ts';

afterEach(endProjects);

test('the watchdog does not say 77, nor forget the orders of a bot that began after its own was gone', async () => {
  const watched = await watchedProject({
    ...STILL,
    'assumptions.venueInternalLagMs': 12_000,
    'advanced.giveUpMs': 150_000,
  });
  const { project } = watched;
  const first = await project.readyBot();
  await watched.quotes();
  const watchdog = await watched.readyWatchdog();
  first.signal('SIGKILL');
  await watchdog.said('"op":"clearing"');
  await watched.quotes(0);
  // Its proof takes seconds, and a busy machine may need longer for what follows.
  watchdog.signal('SIGSTOP');
  expect((await project.command('rearm', '--yes')).code).toBe(0);
  const second = await project.readyBot();
  await watched.quotes();
  second.signal('SIGKILL');
  await second.ended;
  // To list sets the latch, and cancels nothing.
  expect(await project.command('cancel-all', '--everything')).toMatchObject({ code: 75 });
  expect(watchdog.out()).not.toContain('"op":"flat"');
  watchdog.signal('SIGCONT');
  const { code } = await watchdog.ended;
  expect(await watched.orderIds()).toHaveLength(8);
  const known = readOwnOrders(ownOrdersFile(project.stateFolder)).orders.open.size;
  const later = await project.command('cancel-all');
  const left = (await watched.orderIds()).length;
  expect({ code, known, later: later.code, left }).toEqual({ code: 75, known: 8, later: 0, left: 0 });
});
