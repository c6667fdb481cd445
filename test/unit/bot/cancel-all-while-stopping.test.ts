// `cancel-all` on the page while the bot stops: refused, and the kill latch is not set. pm2 restarts a bot that ends
// with 75, and it quotes.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { startVirtualTime, type VirtualTime } from '../../../src/backtest/virtual-time.ts';
import { createSteering } from '../../../src/bot/steer/steering.ts';
import { quotingDesk, START } from '../trader/trader-kit.ts';

let time: VirtualTime;
beforeEach(() => {
  time = startVirtualTime(START);
});
afterEach(() => time.end());

test('cancel-all during a stop sets the latch', async () => {
  const desk = quotingDesk();
  const latched: string[] = [];
  const steering = createSteering({
    settings: { texts: new Map(), files: [] } as never,
    loop: { state: desk.state, tell: desk.tell, isBroken: () => false },
    now: desk.now,
    stop: () => desk.tell({ kind: 'stop' }),
    setKillLatch: (reason) => latched.push(reason),
    performed: () => undefined,
    holdsSecret: () => false,
    log: { logEvent: () => undefined, scrub: (text: string) => text } as never,
  });
  await steering.perform({ command: 'stop', by: 'asha' });
  const answer = await steering.perform({ command: 'cancel-all', by: 'asha' });
  expect({ answer, latched }).toEqual({
    answer: { done: expect.anything() },
    latched: ['cancel-all was called by asha.'],
  });
});
