// What a sandbox says of its accounts is so, also where it could not go on from its folder.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createLog } from '../../src/bot/base/log.ts';
import { startSandbox } from '../../src/bot/paper/sandbox.ts';
import { sandboxOf } from '../../src/bot/paper/sandbox-options.ts';
import { sandboxText } from '../../src/bot/paper/sandbox-words.ts';
import { realClock } from '../../src/ports/clock.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sandbox-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What it says of its account; then it is stopped. */
async function said(): Promise<string | undefined> {
  const words = [
    { kind: 'account', text: 'alice' },
    { kind: 'balance', text: 'INR=1000' },
  ] as const;
  const options = sandboxOf({ port: '0', symbols: 'BTC/INR', state: folder }, words);
  const log = createLog({ level: 'silent' }, { stream: { write: () => true }, isTerminal: false });
  const running = await startSandbox(options, { log, clock: realClock });
  const text = sandboxText(running);
  await running.server.close();
  return text.split('\n').find((line) => line.startsWith('Account '));
}

test('an account is as it was left only where the exchange goes on', async () => {
  expect(await said()).toBe('Account alice, with 1000 INR:');
  expect(await said()).toBe('Account alice, as it was left, or new with 1000 INR:');
  const file = path.join(folder, 'paper-exchange.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"clean":true', '"clean":false'));
  expect(await said()).toBe('Account alice, with 1000 INR:');
});
