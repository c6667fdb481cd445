// When a campaign has failed, and when it has proved nothing: never a ✓ for what was not played.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type SeedResult, summarize, summaryLines, verdictOf } from '../../../simulation/cli/campaign.ts';
import { INTERESTING } from '../../../simulation/machine/counters.ts';

const result = (seed: number, more: Partial<SeedResult> = {}): SeedResult => ({
  seed: String(seed),
  hours: 1,
  sparse: false,
  asked: '',
  commit: 'abc',
  virtualMs: 1,
  tookMs: 1,
  faults: [],
  violations: [],
  counters: {},
  traceHash: 'a',
  again: null,
  ...more,
});
const broken = result(1, { violations: [{ invariant: 'S1', sentence: 'Twice.', at: 1 }] });

describe('a campaign', () => {
  test.each([
    ['all seeds, nothing broken', [result(0), result(1)], 2, false, 'clean'],
    ['a seed that broke something', [result(0), broken], 2, false, 'failed'],
    ['a seed that ran in two ways', [result(0, { again: 'b' })], 1, false, 'failed'],
    ['fewer seeds than asked for', [result(0)], 2, false, 'unfinished'],
    ['no seed at all', [], 2, true, 'unfinished'],
    ['fewer seeds, and one broke something', [broken], 2, false, 'failed'],
    ['a fault that was never reached, strictly', [result(0)], 1, true, 'failed'],
  ] as const)('of %s', (_name, results, asked, strict, verdict) => {
    const summary = summarize(results, asked);
    expect(verdictOf(summary, strict)).toBe(verdict);
    expect(summaryLines(summary, strict).some((line) => line.startsWith('✓'))).toBe(verdict === 'clean');
  });

  test('says how many seeds were not played', () => {
    expect(summaryLines(summarize([result(0)], 3), false)).toContain(
      '✗ 1 of 3 seeds were played: of the others nothing is known.',
    );
  });

  test('has reached a crash point only where a life ended there', () => {
    const { unreached } = summarize([result(0, { counters: { 'crash after-answer': 1 } })], 1);
    expect(unreached).toContain('crash before-durable');
    expect(unreached).not.toContain('crash after-answer');
    expect(unreached).toEqual(expect.arrayContaining([...INTERESTING]));
  });
});

interface Ended {
  readonly code: number | null;
  readonly out: string;
}

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** Runs a command of the simulator in a process group of its own, as a terminal does; `onStarted` gets its number. */
function run(args: readonly string[], onStarted: (pid: number) => void = () => {}): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, detached: true });
    let out = '';
    const heard = (piece: Buffer): void => {
      out += piece.toString();
    };
    child.stdout.on('data', heard);
    child.stderr.on('data', heard);
    child.on('close', (code) => resolve({ code, out }));
    if (child.pid !== undefined) onStarted(child.pid);
  });
}

describe('the commands', () => {
  test.each([
    [
      'an empty range of seeds',
      ['simulation/cli/many-main.ts', '--seeds', '5..1'],
      '--seeds 5..1: no seed lies between',
    ],
    ['an option that nobody knows', ['simulation/cli/sim-main.ts', '--sead', '7'], "Unknown option '--sead'"],
    ['the same of a campaign', ['simulation/cli/many-main.ts', '--help'], 'npm run sim:many'],
    ['an option without its value', ['simulation/cli/sim-main.ts', '--seed'], "'--seed <value>' argument missing"],
    ['a part that there is not', ['simulation/cli/many-main.ts', '--part', '4/3'], '--part 4/3: 1/3, 2/3 and 3/3'],
    ['a mutant that nobody knows', ['simulation/mutants/mutants-main.ts', 'm99'], 'There is no mutant m99.'],
    [
      'a quirk that nobody knows',
      ['simulation/cli/sim-main.ts', '--quirk', 'cross=takes'],
      'known are crossing, selfTrade,',
    ],
    [
      'another value than a quirk has',
      ['simulation/cli/sim-main.ts', '--quirk', 'retryAfter=soon'],
      '`seconds`, `date`',
    ],
    ['the same of the engine', ['simulation/cli/sim-main.ts', '--quirk', 'crossing=maybe'], '`takes`, `rejected`'],
  ])('refuse %s with 64', async (_name, args, sentence) => {
    const { code, out } = await run(args);
    expect([code, out]).toEqual([64, expect.stringContaining(sentence)]);
  });

  test('end with 75 where a campaign is interrupted, after the seed under way', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'campaign-'));
    const progress = path.join(folder, 'progress');
    const seeds = ['--seeds', '0..99999', '--hours', '0.2', '--workers', '1', '--progress', progress];
    let waiting: NodeJS.Timeout | undefined;
    const { code, out } = await run(['simulation/cli/many-main.ts', ...seeds], (pid) => {
      waiting = setInterval(() => {
        if (!existsSync(progress)) return;
        clearInterval(waiting);
        process.kill(-pid, 'SIGINT');
      }, 50);
    });
    clearInterval(waiting);
    rmSync(folder, { recursive: true });
    expect([code, out]).toEqual([75, expect.stringMatching(/^✗ \d+ of 100000 seeds were played/m)]);
    expect(out).not.toContain('✓');
  });
});
