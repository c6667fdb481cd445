// Parameters are changed while the bot quotes: by `set`, and by `reload` of files that a person edited.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { endProjects, newProject, type Project, until } from './bot-process.ts';

let project: Project;
beforeAll(async () => {
  project = await newProject(CALM);
  await project.readyBot();
});
afterAll(endProjects);

/** Orders move when they are told to, and by nothing else. */
const CALM = Object.fromEntries(
  [0, 1].flatMap((market) => [
    [`runs.${market}.refresh.priceToleranceBps`, 80],
    [`paper.crowd.markets.${market}.flow.takersPerSecond`, 0],
  ]),
);

const configured = (): string => readFileSync(path.join(project.folder, project.config), 'utf8');
const edit = (change: (text: string) => string): void =>
  writeFileSync(path.join(project.folder, project.config), change(configured()));

/** Ids by price, of both symbols. */
async function ordersNow(): Promise<Set<string>> {
  const { orders } = await project.truth();
  return new Set(orders.map(({ orderId }) => orderId));
}

async function eightOrders(): Promise<Set<string>> {
  await until('eight orders rest', async () => (await ordersNow()).size === 8);
  return ordersNow();
}

const revisions = async (): Promise<number[]> => {
  const { trader } = await project.status();
  return trader.symbols.map(({ revision }) => revision);
};

test('set shows what would change, then moves the two orders that must move, and the file says it', async () => {
  const before = await eightOrders();
  const shown = await project.steer('set', 'BTC/INR', 'params.halfSpreadStepBps=140');
  expect(shown.code).toBe(0);
  expect(shown.out).toContain('  params.halfSpreadStepBps 40 → 140\n  orders: 2 stay, 2 move, 0 canceled, 0 new\n');
  const [, id = ''] = /--confirm ([0-9a-f]{12})\./.exec(shown.err) ?? [];
  expect(await revisions()).toEqual([1, 1]);
  expect(configured()).toContain('halfSpreadStepBps: 40');

  const applied = await project.steer('set', 'BTC/INR', 'params.halfSpreadStepBps=140', '--confirm', id);
  expect(applied).toMatchObject({ code: 0 });
  expect(applied.out).toContain('Changed: BTC/INR.\nWritten into the file.');
  await until('two orders are others', async () => {
    const now = await ordersNow();
    return now.size === 8 && [...now].filter((each) => !before.has(each)).length === 2;
  });
  expect(await revisions()).toEqual([2, 1]);
  await until('outer orders name the second revision', async () => {
    const { trader } = await project.status();
    const named = trader.symbols[0]?.orders.map(({ level, revision }) => `${level}:${revision}`).sort();
    return named?.join(' ') === '0:1 0:1 1:2 1:2';
  });
  expect(configured()).toContain('halfSpreadStepBps: 140 # the second so much further out');

  // What was shown is over.
  const late = await project.steer('set', 'BTC/INR', 'params.halfSpreadStepBps=150', '--confirm', id);
  expect(late).toMatchObject({ code: 64 });
  expect(late.err).toContain('since this was shown, the bot or its files have changed. Look again.');
  expect(await revisions()).toEqual([2, 1]);
});

test('reload takes what was edited, says what waits for a restart, and nothing of a file with an error', async () => {
  const before = await eightOrders();
  edit((text) => text.replace('halfSpreadBps: 90', 'halfSpreadBps: ninety'));
  const wrong = await project.steer('reload', '--yes');
  expect(wrong).toMatchObject({ code: 78 });
  expect(wrong.err).toMatch(/config\/paper\.yaml:\d+: runs\[0\]\.params\.halfSpreadBps: "?ninety"? is not/);
  expect(await revisions()).toEqual([2, 1]);

  edit((text) =>
    text
      .replace('halfSpreadBps: ninety', 'halfSpreadBps: 90')
      .replace('levels: 2', 'levels: 1')
      .replace(/venueInternalLagMs: \d+/, 'venueInternalLagMs: 4444'),
  );
  const shown = await project.steer('reload');
  expect([shown.err, shown.out]).toEqual([
    expect.anything(),
    expect.stringContaining('orders: 2 stay, 0 move, 2 canceled, 0 new'),
  ]);
  expect(shown.out).toContain('Not applied, as they need a restart: changes in assumptions.');
  expect(await project.steer('reload', '--yes')).toMatchObject({ code: 0 });
  await until('two orders are gone', async () => {
    const now = await ordersNow();
    return now.size === 6 && [...now].every((each) => before.has(each));
  });
  const again = await project.steer('reload', '--yes');
  expect(again.err).toContain('Nothing would change: the bot runs with these parameters. Changes in assumptions');
});

test('set is refused where invalid or where the file can’t be written; --temporary leaves the file alone', async () => {
  const text = configured();
  const refused: readonly (readonly [args: readonly string[], sentence: RegExp])[] = [
    [['BTC/INR', 'params.nonsense=1'], /runs\[0\]\.params\.nonsense: unknown key; allowed keys: levels/],
    [['BTC/INR', 'params.halfSpreadBps=-3'], /runs\[0\]\.params\.halfSpreadBps: "?-3"? is not/],
    [['BTC/INR', 'instrument.tickSize=5'], /BTC\/INR: instrument\.tickSize 1 → 5 can't change while the bot runs/],
    [['XRP/INR', 'params.levels=1'], /no run of XRP\/INR is written there/],
    [['BTC/INR', 'params.levels=1'], /Nothing would change: the bot runs with these parameters/],
  ];
  for (const [args, sentence] of refused) {
    const ended = await project.steer('set', ...args, '--yes');
    expect(ended).toMatchObject({ code: 64 });
    expect(ended.err).toMatch(sentence);
  }
  expect(configured()).toBe(text);
  expect(await revisions()).toEqual([3, 1]);

  const temporary = await project.steer('set', 'ETH/INR', 'params.skewBps=50', '--temporary', '--yes');
  expect(temporary.out).toContain('Until the next start: the file stays as it is.');
  expect(configured()).toBe(text);
  expect(await revisions()).toEqual([3, 2]);
  const back = await project.steer('reload', '--yes');
  expect(back.out).toContain('params.skewBps 50 → 60');
  expect(await revisions()).toEqual([3, 3]);
});
