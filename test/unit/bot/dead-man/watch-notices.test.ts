// The watchdog's notices of a latch that is set while no bot runs.
import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import FakeTimers from '@sinonjs/fake-timers';
import { createLog } from '../../../../src/bot/base/log.ts';
import { type WatchNotices, watchNotices } from '../../../../src/bot/dead-man/watch-notices.ts';
import { emptyOutbox, outboxFile, writeOutbox } from '../../../../src/bot/notify/outbox.ts';
import { notify, startNotify } from '../../../../src/bot/notify/reducer.ts';
import { notifySchema } from '../../../../src/bot/settings/notify/notify-section.ts';
import { loadSettings } from '../../../../src/bot/settings/settings.ts';
import { removeKillLatch, setKillLatch } from '../../../../src/bot/state-folder/kill-latch.ts';
import { leaseFile } from '../../../../src/bot/state-folder/lease-file.ts';
import { realClock } from '../../../../src/ports/clock.ts';
import { channel, rulesOf } from '../notify/notify-world.ts';
import { testFolder } from '../test-folder.ts';

const folder = testFolder();
let lines: string[] = [];
let intervals: ReturnType<typeof FakeTimers.install>;
beforeEach(() => {
  lines = [];
  intervals = FakeTimers.install({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(() => {
  intervals.uninstall();
});

/** A bot reported a latch and ended because of it; its process is gone. */
function endedLatched(): void {
  setKillLatch(folder, 'cancel-all was called.', realClock.now());
  const rules = rulesOf([channel('phone')]);
  const occurrence = { severity: 'page', op: 'latched', symbol: null, text: 'The kill latch is set.' } as const;
  const input = { kind: 'occurred', occurrence, lasts: true, pageAfterMs: null } as const;
  const { state } = startNotify(rules, emptyOutbox('a1'), realClock.now());
  writeOutbox(outboxFile(folder, 'bot'), notify(rules, state, { input, now: realClock.now() }).state);
  const gone = { pid: 999_999, startedAt: '1', bootId: null };
  const lease = { seq: 7, cycles: 5, at: realClock.now(), ended: true, process: gone };
  writeFileSync(leaseFile(folder), JSON.stringify(lease));
}

async function watching(): Promise<WatchNotices> {
  const section = notifySchema.parse({
    channels: [{ form: 'webhook', name: 'phone', from: 'page', url: 'http://127.0.0.1:9' }],
  });
  const settings = { ...(await loadSettings(['config/paper.yaml'])), stateFolder: folder, notify: section };
  const log = createLog(
    { level: 'info' },
    { stream: { write: (line: string) => lines.push(line) > 0 }, isTerminal: false },
  );
  const sender = { send: async () => ({ kind: 'sent', answer: '' }) as const, close: () => undefined };
  const notices = watchNotices(settings, log, {
    channels: [{ name: 'phone', form: 'webhook', sender }],
    secrets: [],
  });
  notices.begin(() => ({ kill: null, lived: false }) as never);
  return notices;
}

const twoLooks = (): Promise<number> => intervals.tickAsync(2_500);
const told = (): string[] => lines.filter((line) => line.includes('latch-set'));

test('one that the bot had reported is not reported again; one that is set after a removal is', async () => {
  endedLatched();
  const notices = await watching();
  await twoLooks();
  expect(told()).toEqual([]);
  // A person removes it, and another person sets one before any bot is started.
  removeKillLatch(folder, realClock.now());
  await twoLooks();
  setKillLatch(folder, 'cancel-all was called again.', realClock.now());
  await twoLooks();
  await notices.end(null, Promise.resolve());
  expect(told()).toEqual([expect.stringContaining('cancel-all was called again.')]);
});
