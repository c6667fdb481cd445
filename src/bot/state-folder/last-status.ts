// The last status of a bot, for the page of one that has ended.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { writeDurably } from '../base/durable-file.ts';

const lastStatusFile = (stateFolder: string): string => path.join(stateFolder, 'last-status.json');

/** Throws what the system throws. */
export const writeLastStatus = (stateFolder: string, text: string): void =>
  writeDurably(lastStatusFile(stateFolder), text);

/** Null where there is none, or no JSON. */
export function readLastStatus(stateFolder: string): unknown {
  try {
    return JSON.parse(readFileSync(lastStatusFile(stateFolder), 'utf8'));
  } catch {
    return null;
  }
}
