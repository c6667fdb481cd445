// The dead man's switch with real processes, judged by the exchange's own account of the truth (order-truth §5; F28,
// F29, F99, F104; S9, S10, L3).
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { ownOrdersFile, readOwnOrders } from '../../src/bot/state-folder/own-orders-file.ts';
import { endProjects, expectStop, LIVELY, pause, until } from './bot-process.ts';
import type { Program } from './start-program.ts';
import { type WatchedProject, watchedProject } from './watchdog-project.ts';

afterEach(endProjects);

/** Ended by the watchdog; every own order gone, and what is the owner's still there. */
async function expectKilled(watched: WatchedProject, watchdog: Program, left: readonly string[] = []): Promise<void> {
  const { code, out, err } = await watchdog.ended;
  expect({ code, err, log: code === 77 ? '' : out }).toEqual({ code: 77, err: '', log: '' });
  expect(out).toContain('"op":"flat"');
  expect(await watched.orderIds()).toEqual(left);
  const { at, reason } = watched.latch();
  expect(reason).toMatch(/^The watchdog: The bot has shown no progress for/);
  // S9: nothing was created after the latch. The exchange's clock is this machine's; a message takes some ms.
  const late = (await watched.creates()).filter((create) => create.at > at + 20);
  expect(late).toEqual([]);
}

/** How long it took until no own order was open, by the truth. */
async function untilFlat(watched: WatchedProject, from: number, left: number): Promise<number> {
  await until('flat', async () => (await watched.orderIds()).length === left, { everyMs: 20 });
  return performance.now() - from;
}

describe('a bot that stands still', () => {
  test('for longer than its time to live is latched, killed, its orders gone in time; the owner’s stays', async () => {
    const watched = await watchedProject();
    const { project } = watched;
    const bot = await project.readyBot();
    await watched.quotes();
    const foreign = await watched.placeByHand();
    const watchdog = await watched.readyWatchdog();
    const from = performance.now();
    bot.signal('SIGSTOP');
    const flatMs = await untilFlat(watched, from, 1);
    await expectKilled(watched, watchdog, [foreign]);
    const provedMs = performance.now() - from;
    expect((await bot.ended).signal).toBe('SIGKILL');
    const bound = await watched.bound();
    console.log(
      `Kill to flat: ${Math.round(flatMs)} ms (bound ${bound.clearedMs} ms); to proof and exit: ` +
        `${Math.round(provedMs)} ms (bound ${bound.provedMs} ms).`,
    );
    expect(flatMs).toBeLessThan(bound.clearedMs);
    expect(provedMs).toBeLessThan(bound.provedMs);

    const status = JSON.parse(readFileSync(path.join(project.stateFolder, 'watchdog.json'), 'utf8'));
    expect(status).toMatchObject({ ended: true, phase: 'done', exitCode: 77, left: [] });
    const metrics = readFileSync(path.join(project.stateFolder, 'watchdog.prom'), 'utf8');
    expect(metrics).toContain('quotekeeper_watchdog_acted 1');

    // Latched until a person says otherwise: neither starts.
    expect((await project.command('run')).code).toBe(77);
    expect((await project.command('watchdog')).code).toBe(77);
    expect((await project.command('rearm', '--yes')).code).toBe(0);
    const again = await project.readyBot();
    await watched.quotes(9);
    const watching = await watched.readyWatchdog();
    await expectStop(again);
    await watching.said('"op":"bot-ended"');
    await expectStop(watching);
    const { orders } = await project.truth();
    expect(orders.map(({ orderId }) => orderId)).toEqual([foreign]);
  });

  test('for less, twice, is left alone', async () => {
    const watched = await watchedProject({ 'watchdog.ttlMs': 8_000 });
    const bot = await watched.project.readyBot();
    await watched.quotes();
    const watchdog = await watched.readyWatchdog();
    for (let stall = 0; stall < 2; stall += 1) {
      bot.signal('SIGSTOP');
      await pause(1_500);
      bot.signal('SIGCONT');
      const thawedAt = Date.now();
      await until('it shows life again', async () => {
        const { deadMan } = await watched.project.status();
        return (deadMan.leaseRenewedAt ?? 0) > thawedAt;
      });
    }
    expect(watchdog.out()).not.toContain('lease-expired');
    expect(existsSync(path.join(watched.project.stateFolder, 'kill-latch.json'))).toBe(false);
    await expectStop(bot);
    await expectStop(watchdog);
  });

  test('F99: and wakes after the latch creates nothing, cancels what it has and ends with 77', async () => {
    const watched = await watchedProject(LIVELY);
    const { project } = watched;
    const bot = await project.readyBot();
    await until('some orders', async () => (await watched.orderIds()).length > 4);
    bot.signal('SIGSTOP');
    // Nobody kills it: only a latch is set, and its orders are taken away by the command.
    const { code, out } = await project.command('cancel-all');
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringContaining('shows no life: it is latched; end it'),
    });
    expect(await watched.orderIds()).toEqual([]);
    // One that was on its way out when it was stopped arrives with the stamp of then, and is refused.
    const accepted = async (): Promise<number> =>
      (await watched.creates()).filter(({ outcomes }) => outcomes.some(({ orderId }) => orderId !== null)).length;
    const before = await accepted();
    bot.signal('SIGCONT');
    expect((await bot.ended).code).toBe(77);
    expect(await accepted()).toBe(before);
    expect(await watched.orderIds()).toEqual([]);
  });
});

describe('a bot that was killed', () => {
  test('and its orders: gone; an exchange that answers 429 meanwhile only delays it (F29)', async () => {
    const watched = await watchedProject();
    const bot = await watched.project.readyBot();
    await watched.quotes();
    const watchdog = await watched.readyWatchdog();
    bot.signal('SIGKILL');
    await watched.control('PATCH', '/quirks', { rateHeaders: 'when-throttled' });
    await watched.control('PATCH', '/controls', { rateLimits: { private: [{ requests: 2, perMs: 2_000 }] } });
    await expectKilled(watched, watchdog);
    expect(watchdog.out()).toContain('"outcome":"throttled"');
  });

  test('F28: a create on its way lands after the first cancel; the second pass finds it by what it is', async () => {
    const watched = await watchedProject({
      ...LIVELY,
      // A create lands well after the first cancel, which comes some seconds after the bot's end.
      'assumptions.venueInternalLagMs': 31_000,
      'advanced.giveUpMs': 150_000,
      'paper.quirks': { creationsDuringCancel: 'land-after' },
    });
    const { project } = watched;
    const bot = await project.readyBot();
    const watchdog = await watched.readyWatchdog();
    await until('some orders', async () => (await watched.orderIds()).length > 4);
    await watched.control('PATCH', '/quirks', { matchingLagMs: 30_000 });
    const flying = await until(
      'a create that has not landed',
      async () =>
        (await watched.creates()).find(({ at, outcomes }) => outcomes.length === 0 && Date.now() - at < 10_000),
      { everyMs: 10 },
    );
    bot.signal('SIGKILL');
    await bot.ended;
    const { orders } = readOwnOrders(ownOrdersFile(project.stateFolder));
    const unnamed = [...orders.open.values()].filter(({ orderId }) => orderId === null);
    expect(unnamed.length).toBeGreaterThan(0);
    await expectKilled(watched, watchdog);
    const landed = (await watched.creates()).find(({ number }) => number === flying.number)?.outcomes[0];
    expect(landed?.orderId).toMatch(/^1-/);
    const firstCancelAt = /"time":"([^"]+)"[^\n]*"kind":"cancel"/.exec(watchdog.out())?.[1] ?? '';
    console.log(
      `Landed ${(landed?.at ?? 0) - Date.parse(firstCancelAt)} ms after the first cancel was answered; ` +
        `${watchdog.out().match(/Canceling [^;]*;/)?.[0]}`,
    );
    expect(landed?.at).toBeGreaterThan(Date.parse(firstCancelAt));
  });
});

describe('a watchdog that is required', () => {
  test('F104: without one nothing is quoted; when it dies quotes are pulled, when it is back they return', async () => {
    const watched = await watchedProject({ 'watchdog.mode': 'required' });
    const { project } = watched;
    await project.exchange();
    const bot = project.bot();
    await bot.said('"op":"watchdog"');
    await pause(5_000);
    expect(await watched.orderIds()).toEqual([]);
    expect(await watched.creates()).toEqual([]);
    const first = watched.watchdog();
    await watched.quotes();
    first.signal('SIGKILL');
    await bot.said('"op":"watchdog-missing"');
    await watched.quotes(0);
    const { deadMan } = await project.status();
    expect(deadMan.watchdog).toBe('missing');
    const second = watched.watchdog();
    await watched.quotes();
    expect((await project.command('watchdog')).code).toBe(73);
    await expectStop(bot);
    await expectStop(second);
  });
});
