import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readCommand } from '../../../../bench/papers/command.ts';

const MAIN = path.join(import.meta.dirname, '../../../../bench/papers/main.ts');

function run(line: string): { code: number | null; out: string; errors: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...line.split(' ')], { encoding: 'utf8' });
  return { code: status, out: stdout, errors: stderr };
}

describe('the command line of npm run papers', () => {
  test.each([
    ['--only black-scholes', '--only black-scholes: one of avellaneda-stoikov, gueant-lehalle, cont-stoikov-talreja.'],
    ['--gamma much', '--gamma much: a number above 0.'],
    ['--sigma 0', '--sigma 0: a number above 0.'],
    ['--runs 1', '--runs 1: a whole number, at least 2.'],
    ['--races 19', '--races 19: a whole number, at least 20.'],
    ['--fills 2.5', '--fills 2.5: a whole number, at least 2.'],
    ['--dt 0.3', '--dt 0.3: a day is 1, and a whole number of steps.'],
    ['--dt 2', '--dt 2: a day is 1, and a whole number of steps.'],
  ])('%s is answered with a sentence', (line, sentence) => {
    expect(readCommand(line.split(' '))).toBe(sentence);
  });

  test('without options it is the experiment of the papers, with one γ only where that is given', () => {
    const numbers = { gamma: 0.1, sigma: 2, k: 1.5, a: 140, dt: 0.005, mid: 100, runs: 1000, races: 20_000 };
    expect(readCommand([])).toMatchObject({ numbers, isOneGamma: false });
    expect(readCommand(['--gamma', '0.5', '--only', 'avellaneda-stoikov'])).toMatchObject({
      numbers: { ...numbers, gamma: 0.5 },
      papers: ['avellaneda-stoikov'],
      isOneGamma: true,
    });
  });
});

describe('npm run papers', () => {
  test('prints a line per figure, and ends with 0 where every verdict agrees', () => {
    const { code, out, errors } = run('--runs 40 --fills 20000 --races 300 --seed smoke');
    expect([code, errors]).toEqual([0, '']);
    expect(out).toMatch(/half-spread, γ = ξ = 0.05 +20\.472085338 +20\.472085338 +agrees/);
    expect(out.match(/ agrees$/gm)).toHaveLength(20);
    expect(out).toContain('Every number agrees that was judged.');
  });

  test('ends with 1 where one is off: after 200 fills inventory still knows that it began with nothing', () => {
    const { code, out } = run('--only gueant-lehalle --fills 200 --seed smoke');
    expect([code, out]).toEqual([1, expect.stringMatching(/sd of inventory.* OFF\n[\s\S]*numbers are off/)]);
  });

  test('ends with 64 and the usage where the command can not be read', () => {
    const { code, out, errors } = run('--runs none');
    expect([code, out]).toEqual([64, '']);
    expect(errors).toBe(`--runs none: a whole number, at least 2.\n${errors.split('\n')[1]}\n`);
    expect(errors).toContain('npm run papers -- ');
  });
});
