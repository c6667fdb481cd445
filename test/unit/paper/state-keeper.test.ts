// The exchange is kept in its file, also where the file could not be written for a while.
import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { keepState } from '../../../src/paper/server/start.ts';
import { changeKeys } from '../../../src/paper/state/settings.ts';
import { realClock } from '../../../src/ports/clock.ts';
import { SmallExchange } from './small-exchange.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'keeper-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('what could not be written is not taken for written', async () => {
  const stateFile = path.join(folder, 'state.json');
  const { state } = new SmallExchange();
  const log = pino({ level: 'silent' });
  const keeper = await keepState(() => state, { stateFile, clock: realClock, log });
  const key = { apiKey: 'made-meanwhile', secret: 'its-secret', permissions: [], ipWhitelist: null };
  changeKeys(state, { kind: 'add', account: 'alice', key });
  renameSync(folder, `${folder}-away`);
  await keeper.store();
  renameSync(`${folder}-away`, folder);
  await keeper.store();
  const kept = readFileSync(stateFile, 'utf8');
  await keeper.close(true);
  expect(kept).toContain('made-meanwhile');
});
