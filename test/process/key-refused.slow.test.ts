// A key that stops working while the bot runs (F80). The bot waits, says why, asks seldom, and goes on when it may.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { endProjects, expectStop, expectStopsFlat, pause, STILL, until } from './bot-process.ts';
import { type ControlledProject, controlledProject } from './controlled-project.ts';
import { KEYS_FILE, secretsIn } from './secret-scan.ts';
import { watchedProject } from './watchdog-project.ts';

afterEach(endProjects);

/** Long enough for three refusals, of which the third wakes somebody, and too short for the fourth. */
const REFUSED_MS = 4_500;
const PERMISSIONS = ['wallet', 'orders', 'trades'];

interface Key {
  readonly apiKey: string;
  readonly secret: string;
}

function keyOf({ project }: ControlledProject): Key {
  const [apiKey = '', secret = ''] = secretsIn(path.join(project.stateFolder, KEYS_FILE)) ?? [];
  return { apiKey, secret };
}

/** The same key, as somebody changed it on the exchange's page. */
const admit = (controlled: ControlledProject, key: Key): Promise<unknown> =>
  controlled.control('POST', '/keys', { account: 'owner', ...key, permissions: PERMISSIONS, ipWhitelist: null });

const revoke = (controlled: ControlledProject, { apiKey }: Key): Promise<unknown> =>
  controlled.control('DELETE', `/keys/${apiKey}`);

const PRIVATE = new Set(['wallet', 'open-orders', 'spot-trades', 'create', 'cancel', 'cancel-symbol']);

/** How many signed requests the exchange got since `from`, until `to`. */
async function signedSince(controlled: ControlledProject, from: number, to = Infinity): Promise<number> {
  const between = (await controlled.requests()).filter(({ at }) => at > from && at < to);
  return between.filter(({ endpoint }) => endpoint !== null && PRIVATE.has(endpoint)).length;
}

const metric = async ({ project }: ControlledProject, name: string): Promise<string | undefined> => {
  const text = await (await fetch(`http://127.0.0.1:${project.pagePort}/metrics`)).text();
  return text
    .split('\n')
    .find((line) => line.startsWith(`${name} `))
    ?.split(' ')[1];
};

describe('a key that is refused while the bot runs', () => {
  test('it waits, says so, asks ever more seldom, and goes on by itself once the key is taken again', async () => {
    const controlled = await controlledProject(STILL);
    const { project } = controlled;
    const bot = await project.readyBot();
    await controlled.quotes();
    const key = keyOf(controlled);
    const from = Date.now();
    await revoke(controlled, key);
    await bot.said('"op":"refused"');
    await pause(REFUSED_MS);
    // After each refusal it rests twice as long: 0, 1 and 3 s, and what was on its way when it came.
    await until('three refusals', async () => (await signedSince(controlled, from)) >= 3);
    expect(await signedSince(controlled, from, from + REFUSED_MS)).toBeLessThanOrEqual(5);
    const { trader } = await project.status();
    const sentence = expect.stringContaining('The exchange refuses requests: -2015 ');
    expect(trader).toMatchObject({ phase: 'running', blockers: [sentence], latched: null });
    for (const { state, reason } of trader.symbols) expect([state, reason]).toEqual(['waiting', sentence]);
    expect((await fetch(`http://127.0.0.1:${project.pagePort}/ready`)).status).toBe(200);
    expect(await metric(controlled, 'quotekeeper_blockers')).toBe('1');
    expect(await metric(controlled, 'quotekeeper_notices_total{level="page"}')).toBe('1');
    expect(await metric(controlled, 'quotekeeper_notices_total{level="warn"}')).not.toBe('0');
    const told = bot
      .out()
      .split('\n')
      .filter((line) => line.includes('"op":"refused"'));
    expect(told.filter((line) => line.includes('"level":"error"'))).toHaveLength(1);
    expect(told.every((line) => line.includes('The exchange refuses requests: -2015 '))).toBe(true);
    expect(await controlled.orderIds()).toHaveLength(8);

    await admit(controlled, key);
    await until('it goes on', async () => (await project.status()).trader.blockers.length === 0);
    await until('it quotes', async () =>
      (await project.status()).trader.symbols.every((each) => each.state === 'quoting'),
    );
    await expectStopsFlat(project, bot);
  });

  test('and stays refused: a stop ends with 75 and names every order; the next start cleans up', async () => {
    const controlled = await controlledProject({ ...STILL, 'advanced.timeoutMs': 1_000 });
    const { project } = controlled;
    const bot = await project.readyBot();
    await controlled.quotes();
    const key = keyOf(controlled);
    const from = Date.now();
    await revoke(controlled, key);
    await bot.said('"op":"refused"');
    bot.signal('SIGTERM');
    const { code, out } = await bot.ended;
    expect(code).toBe(75);
    const left = await controlled.orderIds();
    expect(left).toHaveLength(8);
    for (const orderId of left) expect(out).toContain(`, order ${orderId}.`);
    // Cancels too are tried once in five seconds at the most.
    expect(await signedSince(controlled, from)).toBeLessThan(10 + (Date.now() - from) / 5_000);
    await admit(controlled, key);
    const next = await project.readyBot();
    await expectStopsFlat(project, next);
  });
});

describe('the watchdog of a bot whose key is refused', () => {
  test('with the same key could not cancel either: the bot goes on when the key is taken again', async () => {
    const watched = await watchedProject(STILL);
    const { project } = watched;
    const bot = await project.readyBot();
    await watched.quotes();
    await watched.readyWatchdog();
    const key = keyOf(watched);
    await revoke(watched, key);
    await bot.said('"op":"refused"');
    // Longer than the time to live.
    await pause(5_000);
    expect(existsSync(path.join(project.stateFolder, 'kill-latch.json'))).toBe(false);
    expect((await project.status()).headline.sentence).toContain('-2015');
    await admit(watched, key);
    await until('it is not refused any more', async () => (await project.status()).trader.blockers.length === 0);
    await expectStop(bot);
  });

  test('tries at a gentle pace, when the bot hangs as well, until its cancels are taken', async () => {
    const watched = await watchedProject(STILL);
    const { project } = watched;
    const bot = await project.readyBot();
    await watched.quotes();
    const watchdog = await watched.readyWatchdog();
    const key = keyOf(watched);
    bot.signal('SIGSTOP');
    await revoke(watched, key);
    await watchdog.said('"op":"clearing"');
    const from = Date.now();
    await bot.ended;
    await pause(3_000);
    // While the key is refused the watchdog pauses for 1.5 s, a quarter of its time to live.
    const sent = await signedSince(watched, from);
    expect(sent).toBeLessThanOrEqual((Date.now() - from) / 1_500 + 3);
    expect(watchdog.out()).toContain('-2015 Invalid API key, IP or permissions.');
    const status = JSON.parse(readFileSync(path.join(project.stateFolder, 'watchdog.json'), 'utf8'));
    expect(status.left).toContainEqual(expect.stringContaining('The exchange refuses the key or the request: -2015'));
    expect(await watched.orderIds()).toHaveLength(8);
    await admit(watched, key);
    const { code, out } = await watchdog.ended;
    expect({ code, out: code === 77 ? '' : out }).toEqual({ code: 77, out: '' });
    expect(await watched.orderIds()).toEqual([]);
  });
});
