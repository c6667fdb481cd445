// An account that is shared, and an exchange that makes of one create what it should not: two orders, or one that it
// said to have refused.
import { afterEach, describe, expect, test } from '@jest/globals';
import { endProjects, STILL, until } from './bot-process.ts';
import { type ControlledProject, controlledProject } from './controlled-project.ts';

afterEach(endProjects);

const SHARED = { ...STILL, 'account.foreignOrders': 'ignore' };

interface Stopped {
  readonly code: number | null;
  readonly out: string;
  readonly tookMs: number;
}

async function stop(bot: Awaited<ReturnType<ControlledProject['project']['readyBot']>>): Promise<Stopped> {
  const from = performance.now();
  bot.signal('SIGTERM');
  const { code, out } = await bot.ended;
  return { code, out: out.slice(out.indexOf('SIGTERM')), tookMs: performance.now() - from };
}

describe('one create that became two orders', () => {
  test('a stop ends as soon as what is ours is proved, with 75, and names only the order that is open', async () => {
    const controlled = await controlledProject({ ...SHARED, 'advanced.timeoutMs': 60_000 });
    const { project } = controlled;
    await project.exchange();
    const id = await controlled.fault({ match: { endpoint: 'create' }, fault: { kind: 'duplicate' } });
    const bot = await project.readyBot();
    await controlled.met(id);
    await bot.said('may be a second one of it');
    await until('one symbol stands still, the other quotes', async () => {
      const { trader } = await project.status();
      return (
        trader.symbols
          .map(({ state }) => state)
          .toSorted()
          .join(' ') === 'halted quoting'
      );
    });
    const stopped = await stop(bot);
    const { orders } = await project.truth();
    expect(orders).toHaveLength(1);
    const [live] = orders;
    const lines = stopped.out.split('\n').filter((line) => line.includes('"op":"summary"'));
    const named = lines.filter((line) => line.includes('May be open:'));
    expect(named).toHaveLength(1);
    expect(named[0]).toContain(`@ ${live?.price}`);
    expect(named[0]).toContain(`order ${live?.orderId}`);
    expect(named[0]).toContain(`${live?.symbol} ${live?.side.toLowerCase()} `);
    expect(stopped.code).toBe(75);
    console.log(`It stopped within ${Math.round(stopped.tookMs)} ms.`);
    expect(stopped.tookMs).toBeLessThan(45_000);
    const pressed = await project.command('cancel-all', '--json');
    expect(pressed.code).toBe(75);
    expect(JSON.parse(pressed.out).left.orders).toMatchObject([{ orderId: live?.orderId, mayBeOurs: true }]);
  });
});

describe('an order of the owner', () => {
  test('is named with its values by each stop and by cancel-all, which leave it resting and end with 0', async () => {
    const controlled = await controlledProject(SHARED);
    const { project } = controlled;
    const bot = await project.readyBot();
    await controlled.quotes();
    const byHand = await controlled.placeByHand();
    await until('it is seen', () => project.log().includes(byHand));
    const { code, out } = await stop(bot);
    expect({ code, left: (await controlled.orderIds()).length }).toEqual({ code: 0, left: 1 });
    const line = `BTC/INR buy 0.01 @ 1000000, order ${byHand}`;
    expect(out).toContain("Left resting, not the bot's: 1 order:");
    expect(out).toContain(line);
    const resting = out.split('\n').find((each) => each.includes('"unmatched":')) ?? '{}';
    const order = { symbol: 'BTC/INR', orderId: byHand, side: 'buy', price: '1000000', quantity: '0.01' };
    expect(JSON.parse(resting).unmatched).toEqual([{ ...order, mayBeOurs: false }]);
    const pressed = await project.command('cancel-all');
    expect(pressed.code).toBe(0);
    expect(pressed.out).toContain('No order of the bot is open: proved');
    expect(pressed.out).toContain(line);
    const json = await project.command('cancel-all', '--json');
    expect(JSON.parse(json.out).left).toEqual({ complete: true, orders: [{ ...order, mayBeOurs: false }] });
  });
});
