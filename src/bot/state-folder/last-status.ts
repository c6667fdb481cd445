// The last status of a bot, for the page of one that has ended.
import path from 'node:path';
import { writeDurably } from '../base/durable-file.ts';
import { readStateFile } from '../base/private-file.ts';

const lastStatusFile = (stateFolder: string): string => path.join(stateFolder, 'last-status.json');

/** Throws what the system throws. */
export const writeLastStatus = (stateFolder: string, text: string): void =>
  writeDurably(lastStatusFile(stateFolder), text);

/** Null where there is none, or no JSON. */
export function readLastStatus(stateFolder: string): unknown {
  try {
    return JSON.parse(readStateFile('status', lastStatusFile(stateFolder)));
  } catch {
    return null;
  }
}
