// The notifier with real sockets and a real outbox: fast, nothing lost and nothing doubled while a channel is down for
// ten minutes, even over a restart, and nobody is blocked. The test's clock makes the ten minutes pass.
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import FakeTimers from '@sinonjs/fake-timers';
import type { LogEvent } from '../../../../src/bot/base/log.ts';
import { openChannels, rulesOf } from '../../../../src/bot/notify/channels.ts';
import { type Notifier, type OpTraits, startNotifier } from '../../../../src/bot/notify/notifier.ts';
import { readOutbox } from '../../../../src/bot/notify/outbox.ts';
import { notifySchema } from '../../../../src/bot/settings/notify/notify-section.ts';
import { realClock } from '../../../../src/ports/clock.ts';
import { closeServers, type HttpReceiver, httpReceiver } from './servers.ts';

const MINUTE = 60_000;
let folder = '';
let offsetMs = 0;
const notifiers: Notifier[] = [];
const logged: LogEvent[] = [];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'notifier-'));
  offsetMs = 0;
  logged.length = 0;
});
afterEach(async () => {
  for (const notifier of notifiers.splice(0)) await notifier.close(0);
  await closeServers();
  rmSync(folder, { recursive: true, force: true });
});

const clock = { now: () => realClock.now() + offsetMs, monotonic: () => realClock.monotonic() + offsetMs };
const outboxFile = (): string => path.join(folder, 'notify-bot.json');

function start(
  channels: readonly object[],
  more: { traits?: (op: string) => OpTraits; maxPerMinute?: number; mostWaiting?: number; outbox?: string } = {},
): Notifier {
  const { traits = () => ({}), maxPerMinute = 600, mostWaiting = 500, outbox = outboxFile() } = more;
  const notify = notifySchema.parse({ channels });
  const notifier = startNotifier({
    rules: rulesOf(notify, { maxPerMinute, mostWaiting }),
    channels: openChannels({ notify, projectRoot: folder, mode: 'live' }, {}, 'bot').channels,
    outboxFile: outbox,
    traits: ({ op }) => traits(op),
    clock,
    log: { logEvent: (event) => void logged.push(event), scrub: (text) => text },
  });
  notifiers.push(notifier);
  return notifier;
}

const webhook = (receiver: HttpReceiver, name = 'night', more: object = {}): object => ({
  ...{ form: 'webhook', name, url: receiver.url },
  ...more,
});

/** As in the log. */
const halted = (symbol: string): LogEvent => ({ op: 'symbol-halted', level: 'error', symbol, message: `${symbol}!` });

// The machine's timers, for tests that replace the program's.
const { setTimeout: realTimeout } = globalThis;

/** Waits until it is true; otherwise the test's timeout ends it. */
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => realTimeout(resolve, 10));
}

/** `minutes` pass in steps of ten seconds, with a check at each. */
async function pass(minutes: number): Promise<void> {
  for (let step = 0; step < minutes * 6; step += 1) {
    offsetMs += 10_000;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

test('a page is sent at once, without waiting for a timer, and its outbox is readable only for its owner', async () => {
  const receiver = await httpReceiver();
  const still = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  try {
    const notifier = start([webhook(receiver)]);
    notifier.take(halted('BTC/INR'));
    await until(() => notifier.isDrained());
    expect(receiver.texts()).toEqual(['BTC/INR!']);
    expect(statSync(outboxFile()).mode & 0o777).toBe(0o600);
  } finally {
    still.uninstall();
  }
});

test('events not for people are not sent: debug, those without a sentence, those held back by traits', async () => {
  const receiver = await httpReceiver();
  const traits = (op: string): OpTraits => (op === 'status' ? { severity: null } : {});
  const notifier = start([webhook(receiver, 'all', { from: 'info' })], { traits });
  notifier.take({ op: 'request', level: 'debug', message: 'Read.' });
  notifier.take({ op: 'silent', level: 'error' });
  notifier.take({ op: 'status', level: 'warn', message: 'Stopped.' });
  notifier.take({ op: 'ready', message: 'Ready.' });
  await until(() => receiver.taken.length === 1);
  await notifier.close(1_000);
  expect(receiver.texts('op')).toEqual(['ready']);
});

describe('a channel that is down for ten minutes', () => {
  test('gets everything afterward, each message once; the others got it at once', async () => {
    const [down, up] = [await httpReceiver(), await httpReceiver()];
    await down.stop();
    const notifier = start([webhook(down, 'down'), webhook(up, 'up')]);
    for (let n = 0; n < 20; n += 1) {
      notifier.take(halted(`S${n}/INR`));
      await pass(0.5);
    }
    const halts = (): string[] => up.texts('op').filter((op) => op === 'symbol-halted');
    await until(() => halts().length >= 20 && notifier.status()[0]?.failingSince !== null);
    expect(halts()).toHaveLength(20);
    // People who rely only on the other one must learn that it fails.
    expect(up.texts().filter((text) => text.startsWith('The channel down has not taken messages for '))).toHaveLength(
      1,
    );
    expect(notifier.status()[0]).toMatchObject({
      ...{ name: 'down', form: 'webhook', waiting: 20, because: expect.stringContaining('refused') },
      counts: { failed: expect.any(Number) },
    });
    await down.start();
    offsetMs += 30_000;
    await until(() => notifier.isDrained());
    // Any message may be the one that found the channel working; the oldest follow.
    const [probe, ...rest] = down.texts();
    expect(rest).toEqual(Array.from({ length: 20 }, (_, n) => `S${n}/INR!`).filter((text) => text !== probe));
    expect(new Set(down.texts('id')).size).toBe(20);
    expect(notifier.status()[0]).toMatchObject({ waiting: 0, oldestAt: null, failingSince: null });
    expect(logged.map(({ op }) => op)).toEqual(['notify-failed', 'notify-works']);
  });

  test('even if the process ends twice meanwhile', async () => {
    const receiver = await httpReceiver();
    await receiver.stop();
    const traits = (): OpTraits => ({ isOver: () => false });
    const first = start([webhook(receiver)], { traits });
    first.take(halted('A/INR'));
    await until(() => first.status()[0]?.failingSince !== null);
    await first.close(1_000);
    const second = start([webhook(receiver)], { traits });
    second.take(halted('A/INR'));
    second.take(halted('B/INR'));
    await pass(5);
    await second.close(0);
    // Attempts in flight at its end have finished.
    await new Promise((resolve) => setTimeout(resolve, 200));
    await receiver.start();
    const third = start([webhook(receiver)]);
    await until(() => third.isDrained());
    await third.close(0);
    expect(receiver.texts()).toEqual(['A/INR!', 'B/INR!']);
    const fourth = start([webhook(receiver)]);
    await pass(1);
    expect([receiver.taken.length, fourth.isDrained()]).toEqual([2, true]);
  });
});

describe('nobody is blocked', () => {
  test('a server that accepts everything and answers nothing harms only its own channel', async () => {
    const [silent, good] = [await httpReceiver(), await httpReceiver()];
    silent.answer = 'none';
    const notifier = start([webhook(silent, 'silent'), webhook(good, 'good')]);
    for (let n = 0; n < 50; n += 1) notifier.take(halted(`S${n}/INR`));
    await until(() => good.taken.length === 50 && silent.asked.length > 0);
    // One attempt lasts for eight seconds, followed by a pause: a second one is due to a slow machine.
    expect(silent.asked.length).toBeLessThanOrEqual(2);
  });

  test('of several failing channels one is tried at a time', async () => {
    const receivers = await Promise.all(Array.from({ length: 6 }, httpReceiver));
    for (const receiver of receivers.slice(0, 5)) receiver.answer = { status: 503 };
    const notifier = start(receivers.map((receiver, index) => webhook(receiver, `c${index}`)));
    notifier.take(halted('A/INR'));
    const askedOfFive = (): number => receivers.slice(0, 5).reduce((sum, { asked }) => sum + asked.length, 0);
    const areFailing = (): boolean =>
      notifier.status().every(({ failingSince }, n) => n === 5 || failingSince !== null);
    await until(() => areFailing() && receivers[5]?.taken.length === 1);
    for (const receiver of receivers.slice(0, 5)) receiver.answer = 'none';
    const before = askedOfFive();
    offsetMs += MINUTE;
    notifier.take(halted('B/INR'));
    await until(() => receivers[5]?.taken.length === 2 && askedOfFive() > before);
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(askedOfFive()).toBe(before + 1);
  });

  test('an error of its own is logged once and never reaches a caller', async () => {
    const receiver = await httpReceiver();
    const traits = (op: string): OpTraits => {
      if (op === 'fatal') throw new RangeError('No such op.');
      return {};
    };
    const notifier = start([webhook(receiver)], { traits });
    for (const op of ['fatal', 'fatal', 'latched']) notifier.take({ op, level: 'error', message: `${op}!` });
    await until(() => receiver.taken.length === 1);
    expect(logged).toEqual([expect.objectContaining({ op: 'notify-broken', level: 'error' })]);
    expect(JSON.stringify(logged)).not.toContain('No such op');
  });

  test('the end waits for attempts in flight, not for a failing channel', async () => {
    const [good, down] = [await httpReceiver(), await httpReceiver()];
    await down.stop();
    const notifier = start([webhook(good, 'good'), webhook(down, 'down')]);
    const from = performance.now();
    notifier.take({ op: 'fatal', level: 'fatal', message: 'The program contradicted itself.' });
    await notifier.close(60_000);
    expect(performance.now() - from).toBeLessThan(30_000);
    expect(good.texts('op')).toEqual(['fatal']);
  });
});

test('a lasting problem is over when its trait says so, even in the next process', async () => {
  const receiver = await httpReceiver();
  let isHalted = true;
  const traits = (): OpTraits => ({ isOver: () => !isHalted });
  const first = start([webhook(receiver)], { traits });
  first.take(halted('BTC/INR'));
  await until(() => first.isDrained());
  await pass(0.5);
  await first.close(1_000);
  start([webhook(receiver)], { traits });
  await pass(0.5);
  isHalted = false;
  await until(() => receiver.taken.length === 2);
  expect(receiver.texts('title')).toEqual(['PAGE live: symbol-halted BTC/INR', 'OVER live: symbol-halted BTC/INR']);
});

describe('another process', () => {
  test('that was killed had held pages back by its rate: the watchdog sends them', async () => {
    const receiver = await httpReceiver();
    await receiver.stop();
    const bot = start([webhook(receiver)], { maxPerMinute: 1 });
    for (const symbol of ['A/INR', 'B/INR', 'C/INR']) bot.take(halted(symbol));
    await until(() => bot.status()[0]?.failingSince !== null);
    const killed = path.join(folder, 'killed.json');
    // As on disk at that moment: nothing more is written.
    copyFileSync(outboxFile(), killed);
    await receiver.start();
    const outbox = path.join(folder, 'notify-watchdog.json');
    const watchdog = start([webhook(receiver)], { maxPerMinute: 1, outbox });
    watchdog.inherit(killed);
    await until(() => receiver.taken.length === 2 && watchdog.isDrained());
    expect(receiver.texts()).toEqual(['A/INR!', expect.stringMatching(/^And 2 more .*\nB\/INR: B\/INR!\nC\/INR/s)]);
    // When the bot comes back, it repeats none of it, and gives no id twice.
    const again = readOutbox(killed, () => undefined);
    expect([again?.waiting.size, again?.channels.get('night')?.held, again?.next]).toEqual([0, null, 5]);
  });

  test('keeps what it left unsent if the watchdog can store nothing itself', async () => {
    const receiver = await httpReceiver();
    await receiver.stop();
    const bot = start([webhook(receiver)]);
    bot.take(halted('A/INR'));
    await bot.close(0);
    const watchdog = start([webhook(receiver)], { outbox: path.join(folder, 'none/notify-watchdog.json') });
    watchdog.inherit(outboxFile());
    expect(watchdog.isDrained()).toBe(false);
    await watchdog.close(0);
    const again = readOutbox(outboxFile(), () => undefined);
    expect([...(again?.waiting.values() ?? [])].map(({ message }) => message.text)).toEqual(['A/INR!']);
  });
});

describe('the outbox', () => {
  test('that is damaged is moved aside, and a new one is created', async () => {
    writeFileSync(outboxFile(), 'no outbox'.repeat(1_000));
    const receiver = await httpReceiver();
    const notifier = start([webhook(receiver)]);
    notifier.take(halted('A/INR'));
    await until(() => receiver.taken.length === 1);
    expect(existsSync(`${outboxFile()}.damaged`)).toBe(true);
    expect(logged[0]).toMatchObject({ op: 'notify-outbox', message: expect.stringContaining('is damaged') });
  });
});
