// The bot's process as a watchdog sees it, in virtual time: what a hang holds, what signals do, when the lease is
// renewed.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { OwnFile } from '../../../../simulation/watchdog/own-file.ts';
import { watchProcess } from '../../../../simulation/watchdog/watched-process.ts';
import { startVirtualTime, type VirtualTime } from '../../../../src/backtest/virtual-time.ts';
import type { Trading } from '../../../../src/loop/start-trading.ts';
import type { HttpRequest, HttpResult, Transport } from '../../../../src/ports/transport.ts';
import { ENDPOINTS } from '../../../../src/venue/endpoints.ts';

const START = 1_800_000_000_000;
const HANG = { ms: 10_000, isWhole: true, isDeaf: false };
let time: VirtualTime;
beforeEach(() => {
  time = startVirtualTime(START);
});
afterEach(() => time.end());

const request = (endpoint: 'create' | 'open-orders'): HttpRequest =>
  ({
    method: ENDPOINTS[endpoint].method,
    url: `http://x${ENDPOINTS[endpoint].path}`,
    headers: {},
    body: null,
    deadlineMs: 2_000,
  }) as unknown as HttpRequest;

function watched() {
  const done: string[] = [];
  let latch: string | null = null;
  const ownFile = { begin: () => {}, agree: () => {}, powerCut: () => {} } as unknown as OwnFile;
  const process = watchProcess({
    clock: time.clock,
    now: time.clock.now,
    sleep: time.sleep,
    ttlMs: 45_000,
    deadlineMs: 2_000,
    ownFile,
    latched: () => latch,
    kill() {
      done.push('killed');
      guard.ended({ kind: 'crashed', at: 'now' });
    },
  });
  const guard = process.guard(1);
  const lane = { figures: () => ({ intervalMs: 100, inFlight: 0 }), pausedUntil: () => null };
  const state = {
    durable: { journal: { endedFlat: true } },
    refusal: null,
    contact: { usedAt: null, silentSince: null },
  };
  let stopped: () => void = () => {};
  const loop = {
    state: () => state,
    tell: ({ kind }: { kind: string }) => done.push(kind),
    stopped: new Promise<void>((resolve) => {
      stopped = resolve;
    }),
  };
  guard.begun({ loop, lanes: { private: lane } } as unknown as Trading);
  const answer = { kind: 'response', status: 200 } as unknown as HttpResult;
  const inner: Transport = {
    send: async ({ url }) => {
      done.push(`sent ${new URL(url).pathname}`);
      await time.sleep(100);
      return answer;
    },
    close: () => {},
  };
  const transport = guard.transport(inner, () => false);
  const results: string[] = [];
  const send = (endpoint: 'create' | 'open-orders'): void =>
    void transport.send(request(endpoint)).then((result) => {
      results.push(result.kind === 'fault' ? `${result.fault.reason} ${result.fault.sent}` : 'answered');
    });
  const setLatch = (): void => {
    latch = 'Set.';
  };
  return { process, guard, done, results, send, setLatch, stopped: () => stopped() };
}

test('what is answered while it stands still is overdue when it wakes, and what it would send is aborted', async () => {
  const { process, results, send, done } = watched();
  send('open-orders');
  process.hang(HANG);
  send('create');
  void time.sleep(9_000);
  await time.run(START + 9_000);
  expect(results).toEqual([]);
  await time.run(START + 11_000);
  expect(results.toSorted()).toEqual(['aborted false', 'timeout true']);
  expect(done).toEqual([`sent ${ENDPOINTS['open-orders'].path}`]);
  expect(process.hungAt()).toBe(START + 10_000);
});

test('a create that wakes under the latch comes to the last look, and no further', async () => {
  const { process, results, send, done, setLatch } = watched();
  process.hang(HANG);
  send('create');
  setLatch();
  await time.run(START + 11_000);
  expect(results).toEqual(['aborted false']);
  expect(done).toEqual([]);
});

test('SIGTERM is heard when it wakes, SIGKILL at once, and neither by one that is deaf', async () => {
  const hung = watched();
  hung.process.hang(HANG);
  hung.process.signal('SIGTERM');
  expect(hung.done).toEqual([]);
  await time.run(START + 11_000);
  expect(hung.done).toEqual(['stop']);
  hung.process.hang({ ...HANG, isDeaf: true });
  hung.process.signal('SIGKILL');
  expect(hung.process.sight()).toEqual({ process: 'running', folderHeld: true });
  hung.process.wake();
  hung.process.signal('SIGKILL');
  expect(hung.done).toEqual(['stop', 'killed']);
  expect(hung.process.sight()).toEqual({ process: 'gone', folderHeld: false });
});

test('a stop that is flat ends the lease', async () => {
  const { process, stopped } = watched();
  expect(process.lease()).toMatchObject({ cycles: 0, ended: false });
  stopped();
  await time.run(START + 1);
  expect(process.lease()).toMatchObject({ ended: true });
  expect(process.sight().folderHeld).toBe(false);
});
