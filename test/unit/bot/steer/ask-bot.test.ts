// Messages to a person when the bot does not answer, and the name under which they are recorded.
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { expect, test } from '@jest/globals';
import { askBot, openControl, personHere } from '../../../../src/bot/steer/control-socket.ts';
import { testFolder } from '../test-folder.ts';

const folder = testFolder();

const RESUME = { command: 'resume', symbol: 'BTC/INR', side: null, price: null, by: 'asha' } as const;
const toldBy = (answer: Promise<unknown>): Promise<unknown> => answer.catch((error: Error) => error.message);

test('a command performed after the timeout is not reported as without effect', async () => {
  const performed: string[] = [];
  const steering = {
    perform: async ({ command }: { command: string }) => {
      // Like a busy or swapping machine, or a suspended process.
      await new Promise((resolve) => setTimeout(resolve, 5_200));
      performed.push(command);
      return { done: ['Resumed: BTC/INR.'] };
    },
  };
  const log = { logEvent: () => undefined, scrub: (text: string) => text };
  const control = await openControl(folder, { steering: steering as never, status: () => ({}) as never }, log as never);
  expect(await toldBy(askBot(folder, RESUME))).toContain('it is not known whether the command was taken');
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await control.close();
  expect(performed).toEqual(['resume']);
}, 20_000);

test('if no bot listens, nothing was changed', async () => {
  expect(await toldBy(askBot(folder, RESUME))).toContain('nothing was changed');
  const log = { logEvent: () => undefined, scrub: (text: string) => text };
  const control = await openControl(folder, { steering: {} as never, status: () => ({}) as never }, log as never);
  await control.close();
  expect(await toldBy(askBot(folder, RESUME))).toContain('nothing was changed');
});

test('a user without a name on this machine, as in a container, is recorded as somebody', () => {
  const { userInfo } = os;
  // Node's error if the system has no entry for the user.
  os.userInfo = () => {
    throw Object.assign(new Error('uv_os_get_passwd returned ENOENT'), { code: 'ERR_SYSTEM_ERROR' });
  };
  syncBuiltinESMExports();
  try {
    expect(personHere()).toBe('somebody');
  } finally {
    os.userInfo = userInfo;
    syncBuiltinESMExports();
  }
});
