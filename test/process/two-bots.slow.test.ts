// Two bots with the same key on the same account, each with a state folder of its own, as on two hosts (F98): no lock
// keeps them apart.
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { type Changes, endProjects, expectStop, LIVELY, newProject, type Project, until } from './bot-process.ts';
import { freePort } from './free-port.ts';
import { endProxies, type RecordingProxy, startRecordingProxy } from './recording-proxy.ts';

afterEach(async () => {
  endProxies();
  await endProjects();
});

const CREATE = '/api/v1/spot/order/create';
const CANCEL = '/api/v1/spot/order/cancel';

/** A folder of its own, and the wire between its bot and the exchange. */
interface Host {
  readonly project: Project;
  readonly wire: RecordingProxy;
}

/**
 * Of the second one: an order that is the same in everything as one's own, and comes after it, counts as a second one
 * of it (F11): with `ignore` it halts the symbol, with `refuse` it is canceled. A trade shows no more of its order than
 * the price.
 */
const OTHER_QUOTES: Changes = Object.fromEntries(
  [0, 1].flatMap((run) => [
    [`runs.${run}.params.halfSpreadBps`, 110 + 10 * run],
    [`runs.${run}.params.orderSize`, 31_000],
    [`runs.${run}.params.orderSizeStep`, 11_000],
  ]),
);

async function twoHosts(both: Changes): Promise<[Host, Host]> {
  const behind = await freePort();
  const first = await newProject({ ...both, 'paper.port': behind });
  await first.exchange();
  first.configure(both);
  const other = await newProject({ ...both, ...OTHER_QUOTES });
  mkdirSync(other.stateFolder, { recursive: true, mode: 0o700 });
  const keys = (project: Project): string => path.join(project.stateFolder, 'paper-keys');
  copyFileSync(keys(first), keys(other));
  const host = async (project: Project): Promise<Host> => ({
    project,
    wire: await startRecordingProxy(project.exchangePort, behind),
  });
  return [await host(first), await host(other)];
}

const created = ({ wire }: Host): string[] =>
  wire.posted.filter((each) => each.path === CREATE).flatMap(({ answer }) => JSON.parse(answer).data?.order_id ?? []);
const canceled = ({ wire }: Host): string[] =>
  wire.posted.filter((each) => each.path === CANCEL).map(({ body }) => JSON.parse(body).order_id);

/** Neither cancels by name what the other has placed. */
function expectOwnCancelsOnly(hosts: readonly Host[]): void {
  for (const host of hosts) {
    const own = created(host);
    expect(canceled(host).filter((orderId) => !own.includes(orderId))).toEqual([]);
  }
}

const orders = async ({ project }: Host): Promise<readonly string[]> =>
  (await project.truth()).orders.map(({ orderId }) => orderId);

const states = async ({ project }: Host): Promise<readonly string[]> =>
  (await project.status()).trader.symbols.map(({ state }) => state);

/** Own fills of all sessions by the journal, and those that it booked as somebody else's. */
async function fillsOf({ project }: Host): Promise<{ own: number; external: number }> {
  const { symbols } = (await project.status()).trader;
  const own = symbols.reduce((sum, { fills }) => sum + fills.buys + fills.sells, 0);
  return { own, external: project.log().split('"op":"external-fill"').length - 1 };
}

describe('with foreignOrders: ignore', () => {
  test('each quotes and leaves the other alone; the fills of the other are external to its ledger', async () => {
    const hosts = await twoHosts({ ...LIVELY, 'account.foreignOrders': 'ignore' });
    const [one, two] = hosts;
    const [first, second] = [await one.project.readyBot(), two.project.bot()];
    await two.project.ready(second);
    await until('fills and cancels of both', async () => {
      const fills = await Promise.all(hosts.map(fillsOf));
      return (
        fills.every(({ own, external }) => own >= 5 && external >= 5) &&
        hosts.every((host) => canceled(host).length >= 3)
      );
    });
    expect(await Promise.all(hosts.map(states))).toEqual([
      ['quoting', 'quoting'],
      ['quoting', 'quoting'],
    ]);
    await expectStop(second);
    // What is left belongs to the first one.
    const left = await orders(one);
    await until('the first one has been told of all that is left', () =>
      left.every((orderId) => created(one).includes(orderId)),
    );
    const counted = await fillsOf(one);
    expect(counted.own).toBeGreaterThan(0);
    await expectStop(first);
    expectOwnCancelsOnly(hosts);
    for (const { project } of hosts) expect(project.log()).not.toContain('"op":"difference"');
    const truth = await one.project.truth();
    expect(truth.orders).toEqual([]);
    expect(one.project.ledger()).toEqual(truth.totals);
    // Every trade of the account is in the first one's journal once: as its own, or as somebody else's.
    expect(one.project.journalled('fill')).toHaveLength(truth.fillCount);
  });
});

describe('with foreignOrders: refuse', () => {
  const ALONE = { ...LIVELY, 'account.foreignOrders': 'refuse' };
  const SAYS = "The account is the bot's alone (account.foreignOrders: refuse), and";

  test(
    'the one that comes second halts before its first order and says why; ' +
      'the first one, which sees nothing of it, goes on',
    async () => {
      const hosts = await twoHosts(ALONE);
      const [one, two] = hosts;
      const first = await one.project.readyBot();
      await until('quotes', async () => (await orders(one)).length >= 6);
      const second = two.project.bot();
      await second.said(SAYS);
      await until('it is halted', async () => (await states(two)).every((state) => state === 'halted'));
      const before = created(one).length;
      await until('the first one goes on', () => created(one).length >= before + 5);
      expect(created(two)).toEqual([]);
      expect(await states(one)).toEqual(['quoting', 'quoting']);
      // Its stop proves that nothing is left by taking everything away: what the configuration says that it may do.
      await expectStop(second);
      await until('the first one quotes again', async () => (await orders(one)).length >= 6);
      await expectStop(first);
      expectOwnCancelsOnly(hosts);
      const truth = await one.project.truth();
      expect(truth.orders).toEqual([]);
      expect(one.project.ledger()).toEqual(truth.totals);
    },
  );
});
