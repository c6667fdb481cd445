import { afterEach, describe, expect, test } from '@jest/globals';
import { endProjects, expectStopsFlat, LIVELY, newProject, type Project, until } from './bot-process.ts';

afterEach(endProjects);

const fillsOf = async (project: Project): Promise<number> =>
  (await project.status()).trader.symbols.reduce((sum, { fills }) => sum + fills.buys + fills.sells, 0);

describe('a second start', () => {
  test('goes on: the same exchange, ledger equal to wallet, fills counted on, no order left between', async () => {
    const project = await newProject(LIVELY);
    const first = project.bot();
    await project.ready(first);
    const { instanceId } = await project.truth();
    await until('three fills', async () => (await fillsOf(project)) >= 3);
    await expectStopsFlat(project, first);
    const between = await project.truth();
    expect(between.instanceId).toBe(instanceId);
    await project.stopExchange();

    const second = project.bot();
    await project.ready(second);
    expect(await fillsOf(project)).toBeGreaterThanOrEqual(between.fillCount);
    await until('more fills', async () => (await fillsOf(project)) >= between.fillCount + 2);
    await expectStopsFlat(project, second);
    expect((await project.truth()).instanceId).toBe(instanceId);
    expect(second.out()).not.toContain('"op":"difference"');
  });

  test('cannot come between: the folder is held until the exchange has stopped', async () => {
    const project = await newProject();
    const bot = project.bot();
    await project.ready(bot);
    await until('quotes', async () => (await project.truth()).orders.length > 0);
    bot.signal('SIGTERM');
    await bot.said('"op":"summary"');
    const opened = (): { exchange: number | null } => {
      project.ledger();
      return { exchange: project.exchangePid() };
    };
    const holding = await until('the journal can be opened', opened, { everyMs: 1 });
    expect(holding).toEqual({ exchange: null });
    expect((await bot.ended).code).toBe(0);
  });
});
