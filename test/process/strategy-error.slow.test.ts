// A strategy of the user's own that throws: its market halts, the other goes on, and every command says what and
// where in the same sentence. The program runs in a folder of its own, which holds that strategy.
import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { endProjects, expectStop, newProject, type Project, STILL, until } from './bot-process.ts';
import { PROJECT_ROOT, type Program, runProgram } from './start-program.ts';

const folders: string[] = [];

afterEach(async () => {
  await endProjects();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Throws at the call of that number; the check of the configuration is the first. */
const strategyThatThrowsAt = (call: number): string => `import { z } from 'zod';
import { defineStrategy } from '../src/quoting/strategy.ts';
import { strategy as fixed, fixedSpreadParams } from './fixed-spread.ts';

let calls = 0;

export default defineStrategy({
  ...fixed,
  name: 'mine',
  params: fixedSpreadParams,
  ignoresNow: false,
  quote(view, params) {
    calls += 1;
    if (calls >= ${call}) throw new Error(\`no volatility at call \${calls}\`);
    return fixed.quote(view, params);
  },
});
`;
const LINE = 14;

/** The program in a folder of its own: strategies are looked for beside its sources. */
function programOfItsOwn(): string {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'program-')));
  folders.push(root);
  for (const part of ['src', 'strategies', 'package.json', 'quotekeeper'])
    cpSync(path.join(PROJECT_ROOT, part), path.join(root, part), { recursive: true });
  symlinkSync(path.join(PROJECT_ROOT, 'node_modules'), path.join(root, 'node_modules'));
  return path.join(root, 'quotekeeper');
}

const setStrategy = (executable: string, call: number): void =>
  writeFileSync(path.join(path.dirname(executable), 'strategies/mine.ts'), strategyThatThrowsAt(call));

const OF_MINE = { ...STILL, 'runs.0.strategy': 'mine' };
const SENTENCE = (call: number): string =>
  `The strategy "mine" failed (strategies/mine.ts:${LINE}): no volatility at call ${call}.`;

const symbolsOf = async (project: Project): Promise<Record<string, number>> => {
  const counts: Record<string, number> = { 'BTC/INR': 0, 'ETH/INR': 0 };
  for (const { symbol } of (await project.truth()).orders) counts[symbol] = (counts[symbol] ?? 0) + 1;
  return counts;
};

test('run: halts its market, pulls its quotes, and goes on with the other; resumed, it quotes again', async () => {
  const project = await newProject(OF_MINE);
  const executable = programOfItsOwn();
  setStrategy(executable, 3);
  const bot: Program = project.start(['run', project.config], { executable });
  await project.ready(bot);
  await until('ETH quotes, BTC does not', async () => {
    const counts = await symbolsOf(project);
    return counts['BTC/INR'] === 0 && (counts['ETH/INR'] ?? 0) > 0;
  });
  await until('the halt shows', async () => {
    const { symbols } = (await project.status()).trader;
    return symbols.some(({ risk }) => risk.halt?.code === 'strategy');
  });
  const { symbols } = (await project.status()).trader;
  expect(symbols.map(({ symbol, state }) => [symbol, state])).toEqual([
    ['BTC/INR', 'halted'],
    ['ETH/INR', 'quoting'],
  ]);
  expect(symbols[0]?.reason).toBe(`Halted: ${SENTENCE(3)}`);
  const metrics = await (await fetch(`http://127.0.0.1:${project.pagePort}/metrics`)).text();
  expect(metrics).toContain('quotekeeper_halt_state{symbol="BTC/INR",code="strategy"} 1');
  expect(project.log()).toContain(JSON.stringify(`BTC/INR is halted: ${SENTENCE(3)}`).slice(1, -1));
  expect(project.log()).not.toContain('"op":"fatal"');
  await expectStop(bot);
  expect(project.journalled('symbol-halted')).toEqual([
    expect.objectContaining({ symbol: 'BTC/INR', code: 'strategy', reason: SENTENCE(3) }),
  ]);

  // Mended and resumed.
  setStrategy(executable, 1_000_000);
  const again = project.start(['run', project.config, '--resume', 'BTC/INR'], { executable });
  await project.ready(again);
  await until('both quote', async () => Object.values(await symbolsOf(project)).every((count) => count > 0));
  await expectStop(again);
});

test('plan, backtest and check say the same sentence, and end with 78', async () => {
  const project = await newProject(OF_MINE);
  const executable = programOfItsOwn();
  setStrategy(executable, 2);
  // Not the project's own: what it says holds a hash, which looks like a signature.
  const run = (...args: string[]) => runProgram(args, { executable, cwd: project.folder });
  const plan = await run('plan', project.config);
  expect([plan.code, plan.out]).toEqual([78, expect.stringContaining(`no quote: Halted: ${SENTENCE(2)}`)]);
  const backtest = await run('backtest', project.config, '--hours', '0.05');
  expect([backtest.code, backtest.out]).toEqual([78, expect.stringContaining(`BTC/INR is halted: ${SENTENCE(2)}`)]);
  setStrategy(executable, 1);
  const check = await run('check', project.config);
  expect([check.code, check.err]).toEqual([78, expect.stringContaining(`runs[0].strategy: ${SENTENCE(1)}`)]);
});
