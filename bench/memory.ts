// What a year in the memory's file takes: bytes, the CPU of writing it, a question of a chart, a report of a month.
// Only by name: to write the year takes minutes.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { memoryPath } from '../src/bot/memory/memory-file.ts';
import { readMemory } from '../src/bot/memory/read-memory.ts';
import { DAY, HOUR } from '../src/domain/time.ts';
import { type BenchResult, median } from './measure.ts';
import { SYMBOL, writeTrades, writeYear, YEAR_FROM } from './memory-year.ts';

export const onlyByName = true;

const DAYS = 365;
const ROUNDS = 15;
const REPORTS = 3;
const UNTIL = YEAR_FROM + DAYS * DAY;
const QUOTEKEEPER = path.join(import.meta.dirname, '../quotekeeper');

export async function run(): Promise<BenchResult> {
  const folder = mkdtempSync(path.join(tmpdir(), 'quotekeeper-bench-'));
  try {
    const { cpuShare } = writeYear(folder, DAYS);
    writeTrades(folder, DAYS);
    const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
    const size = statSync(memoryPath(folder)).size;
    return {
      title: 'The memory of a year of one symbol',
      lines: [
        `size                          ${megabytes(size)}`,
        `gathering and writing         ${(100 * cpuShare).toFixed(4)} % of a core`,
        ...[HOUR, DAY, 30 * DAY, DAYS * DAY].map((span) => questionLine(folder, span)),
        reportLine(folder),
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function questionLine(folder: string, span: number): string {
  const times: number[] = [];
  let found = '';
  for (let round = 0; round < ROUNDS; round += 1) {
    const reader = readMemory(memoryPath(folder));
    if (reader === null) throw new Error('The year was not written.');
    const from = performance.now();
    const query = { symbol: SYMBOL, from: UNTIL - span, to: UNTIL, points: 1_000, now: UNTIL };
    const { times: points, fills, level } = reader.history(query);
    times.push(performance.now() - from);
    found = `${points.length} points of level ${level}, ${fills.length} fills`;
    reader.close();
  }
  return `history of ${String(span / HOUR).padStart(5)} hours         ${median(times).toFixed(1)} ms (${found})`;
}

/** The whole command, as a person waits for it. */
function reportLine(folder: string): string {
  const config = path.join(folder, 'bench.yaml');
  writeFileSync(config, configurationOn(folder));
  const times = Array.from({ length: REPORTS }, () => {
    const from = performance.now();
    const args = ['report', 'month', config, '--of', '2025-12-15', '--html', path.join(folder, 'month.html')];
    const { status, stderr } = spawnSync(QUOTEKEEPER, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`report ended with ${status}: ${stderr}`);
    return performance.now() - from;
  });
  return `report month, with its page    ${(median(times) / 1_000).toFixed(1)} s`;
}

/** The configuration that comes with the program, on the year's folder. */
function configurationOn(folder: string): string {
  const text = readFileSync(path.join(import.meta.dirname, '../config/paper.yaml'), 'utf8');
  return text.replace(/^state: \S+/m, `state: ${folder}`);
}
