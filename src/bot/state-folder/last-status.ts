// The last status of a bot, for the page of one that has ended.
import path from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../base/durable-file.ts';
import { readStateJson } from '../base/private-file.ts';

const lastStatusFile = (stateFolder: string): string => path.join(stateFolder, 'last-status.json');

/** Throws what the system throws. */
export const writeLastStatus = (stateFolder: string, text: string): void =>
  writeDurably(lastStatusFile(stateFolder), text);

/** Null where there is none, or no JSON. */
export const readLastStatus = (stateFolder: string): unknown =>
  readStateJson('status', lastStatusFile(stateFolder), z.unknown());
