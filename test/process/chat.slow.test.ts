// A person commands a real bot from a chat: it pauses, is killed, resumes, stops in an outage of the chat, is latched.
// Each command is done once, by name, and answered.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { ASHA, BotApi, CHAT, TOKEN } from '../unit/bot/chat/bot-api.ts';
import { endProjects, newProject, type Project, STILL, until } from './bot-process.ts';
import { filesBelow } from './secret-scan.ts';
import type { Program } from './start-program.ts';

const api = new BotApi();
afterEach(async () => {
  await endProjects();
  await api.stop();
});

const by = `${ASHA.username}@telegram-${ASHA.id}`;
const ENVIRONMENT = { environment: { QK_CHAT: TOKEN } };
const texts = (): string[] => api.sent.map(({ text }) => text);
/** Without notifications, which come to the same chat. */
const answers = (): string[] => texts().filter((text) => text.startsWith('desk: '));

async function ask(text: string): Promise<string> {
  const before = answers().length;
  api.say(text);
  await until(`${text} is answered`, () => answers().length > before);
  return answers()[before] ?? '';
}

async function code(text: string): Promise<string> {
  const answer = await ask(text);
  expect(answer).toMatch(/reply \d{6} until/);
  return /reply (\d{6}) until/.exec(answer)?.[1] ?? '';
}

/** Starts a bot, and waits until it listens to the chat. */
async function startBot(project: Project): Promise<Program> {
  const polls = api.offsets.length;
  const bot = project.start(['run', project.config], ENVIRONMENT);
  await project.ready(bot);
  await until('it polls', () => api.offsets.length > polls);
  return bot;
}

const bitcoinOrders = async (project: Project): Promise<number> =>
  (await project.truth()).orders.filter(({ symbol }) => symbol === 'BTC/INR').length;

test('pause, resume, stop and cancelall by chat, over a kill and an outage', async () => {
  await api.start();
  const channel = { form: 'telegram', name: 'phone', server: api.url, chatId: CHAT, commands: true };
  const notify = { bot: 'desk', channels: [{ ...channel, token: { environment: 'QK_CHAT' } }] };
  const project = await newProject({ ...STILL, notify });
  await project.exchange();
  const first = await startBot(project);
  await project.quotes();
  const checked = await project.start(['check', project.config, '--offline'], ENVIRONMENT).ended;
  expect(checked.out).toContain('Everyone in Telegram chat 7001 (channel phone) can pause, resume, stop and latch');
  expect(await ask('/status')).toContain('desk: paper, ');
  api.say('/stop', { chat: { id: 99 } });

  expect(await ask(await code('/pause BTC/INR'))).toContain('desk: Locked until it is removed: BTC/INR.');
  await until('its orders are gone', async () => (await bitcoinOrders(project)) === 0);
  const metrics = await (await fetch(`http://127.0.0.1:${project.pagePort}/metrics`)).text();
  expect(metrics).toContain('quotekeeper_chat_messages_total{from="stranger"} 1');
  first.signal('SIGKILL');
  await first.ended;

  const sent = answers().length;
  api.replay();
  const second = await startBot(project);
  await until('all is answered', () => answers().length === sent + 3);
  expect(answers().slice(sent)).toEqual(Array(3).fill(expect.stringContaining('desk: Too old: ')));
  expect(await ask(await code('/resume'))).toContain('Resumed: BTC/INR; lock by operator.');
  await project.quotes();

  const stop = await code('/stop');
  const before = texts().length;
  api.fails = (method) => (method === 'sendMessage' ? { status: 502, description: 'Bad Gateway' } : null);
  api.say(stop);
  expect((await second.ended).code).toBe(0);
  expect(texts().slice(before)).toEqual([]);
  api.fails = () => null;
  const third = await startBot(project);
  await until('the answers come', () => texts().filter((text) => text.includes('steering')).length === 2);
  const [done, end] = texts().filter((text) => text.includes('steering'));
  expect(done).toContain('desk: The bot stops: it cancels its orders and verifies that none is left.');
  expect(end).toContain('desk: Stopped: The bot was told to stop. It was proved at ');

  expect(await ask(await code('/cancelall'))).toContain('desk: The kill latch is set: the bot cancels its orders');
  expect((await third.ended).code).toBe(77);
  expect(answers().at(-1)).toContain(`cancel-all was called by ${by}. It was proved at `);
  expect((await project.truth()).orders).toEqual([]);
  const locks = project.journalled('lock').map(({ symbol, by, lock }) => [symbol, by, lock !== null]);
  expect(locks).toEqual([
    ['BTC/INR', by, true],
    ['BTC/INR', by, false],
  ]);
  expect(readFileSync(path.join(project.stateFolder, 'kill-latch.json'), 'utf8')).toContain(by);
  for (const command of ['pause', 'resume', 'stop', 'cancel-all'])
    expect(project.log()).toContain(`${by} says ${command}: `);
  expect(filesBelow(project.folder).filter(({ text }) => text.includes(TOKEN))).toEqual([]);
}, 180_000);
