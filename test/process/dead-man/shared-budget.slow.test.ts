// One key and a tight limit: bot and watchdog together never ask for more than the exchange allows, from the first
// request on.
import { afterEach, expect, test } from '@jest/globals';
import { endProjects, pause, STILL, until } from '../bot-process.ts';
import { watchedProject } from '../watchdog-project.ts';

afterEach(endProjects);

/** Six within two seconds; the bot makes five of them. */
const LIMIT = { requests: 6, perMs: 2_000 };
const REQUESTS_PER_SECOND = 2.5;

test('no 429 when both start at once, while both run, and when the watchdog takes over', async () => {
  const watched = await watchedProject({
    ...STILL,
    'lanes.private.requestsPerSecond': REQUESTS_PER_SECOND,
  });
  await watched.project.exchange();
  await watched.control('PATCH', '/controls', { rateLimits: { private: [LIMIT] } });
  const watchdog = watched.watchdog();
  const bot = await watched.project.readyBot();
  await until('some orders', async () => (await watched.orderIds()).length >= 4);
  await pause(5_000);
  bot.signal('SIGSTOP');
  expect((await watchdog.ended).code).toBe(77);
  expect(await watched.orderIds()).toEqual([]);
  const refused = (await watched.requests()).filter(({ outcomes }) => outcomes.some(({ status }) => status === 429));
  expect(refused).toEqual([]);
  expect(watchdog.out()).not.toContain('"outcome":"throttled"');
});
