// Memory files on disk for tests: folders that are removed, and hand-written batches.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach } from '@jest/globals';
import { type MemoryFile, memoryPath, openMemory } from '../../../../src/bot/memory/memory-file.ts';
import type { Batch, Level, PointRow } from '../../../../src/bot/memory/rows.ts';

export const AT = Date.parse('2026-07-01T00:00:00Z');

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0).reverse()) close();
});

export function stateFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'quotekeeper-memory-'));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Opened {
  readonly folder: string;
  readonly file: string;
  readonly memory: MemoryFile;
  readonly told: string[];
}

export function open(folder = stateFolder(), at = AT): Opened {
  const file = memoryPath(folder);
  const told: string[] = [];
  const memory = openMemory(file, { at, putAside: (why) => told.push(why) });
  let isOpen = true;
  const close = (): void => {
    if (isOpen) memory.close();
    isOpen = false;
  };
  closing.push(close);
  return { folder, file, memory: { ...memory, close }, told };
}

export const batch = (rows: Partial<Batch> = {}): Batch => ({
  ...{ at: AT, points: [], counts: [], notices: [], fills: [] },
  ...rows,
});

export function point(at: number, given: Partial<PointRow> & { readonly level?: Level } = {}): PointRow {
  return {
    ...{
      symbol: 'BTC/INR',
      level: 'second',
      at,
      moment: at,
      marketBid: 99,
      marketAsk: 101,
      ownBid: null,
      ownAsk: 100.5,
    },
    ...{ reference: 100, inventory: 1, equity: 1_000, profit: 0 },
    ...given,
  };
}
