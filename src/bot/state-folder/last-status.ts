// A bot's last status, for the page after it has ended.
import path from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../base/durable-file.ts';
import { readStateJson } from '../base/private-file.ts';

const lastStatusFile = (stateFolder: string): string => path.join(stateFolder, 'last-status.json');

/** Throws system errors. */
export const writeLastStatus = (stateFolder: string, text: string): void =>
  writeDurably(lastStatusFile(stateFolder), text);

/** Null if it is missing or not JSON. */
export const readLastStatus = (stateFolder: string): unknown =>
  readStateJson('status', lastStatusFile(stateFolder), z.unknown());
