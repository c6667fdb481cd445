// A person steers a running bot through the socket in its state folder: pause, resume, stop.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { pageTokenFile, renewPageToken } from '../../src/bot/web/page-tokens.ts';
import { endProjects, expectStop, newProject, type Project, until } from './bot-process.ts';
import type { Program } from './start-program.ts';

afterEach(endProjects);

const sidesOf = async (project: Project, symbol: string): Promise<string[]> => {
  const { orders } = await project.truth();
  return [...new Set(orders.filter((order) => order.symbol === symbol).map(({ side }) => side.toLowerCase()))].sort();
};

const quotes = (project: Project, symbol: string, sides: readonly string[]): Promise<unknown> =>
  until(`${symbol} has ${sides.join(' and ')}`, async () => {
    const found = await sidesOf(project, symbol);
    return found.length === sides.length && sides.every((side) => found.includes(side));
  });

/** A project whose bot has both sides of BTC/INR on the book. */
async function quotingProject(): Promise<{ readonly project: Project; readonly bot: Program }> {
  const project = await newProject();
  const bot = await project.readyBot();
  await quotes(project, 'BTC/INR', ['buy', 'sell']);
  return { project, bot };
}

/** What the socket answers to bytes that no command of ours sends. */
function send(project: Project, body: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const socketPath = path.join(project.stateFolder, 'control.sock');
    const headers = { 'content-type': 'application/json' };
    const sent = request({ socketPath, path: '/command', method: 'POST', headers }, (answer) => {
      let text = '';
      answer.on('data', (part: Buffer) => {
        text += part.toString();
      });
      answer.on('end', () => resolve(JSON.parse(text)));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

test('a configuration that was broken keeps nobody from pausing and stopping the bot that runs with it', async () => {
  const { project, bot } = await quotingProject();
  const file = path.join(project.folder, project.config);
  const whole = readFileSync(file, 'utf8');
  writeFileSync(file, whole.replace('levels:', 'levles:'));
  const paused = await project.steer('pause', 'BTC/INR');
  expect(paused).toMatchObject({ code: 0 });
  expect(paused.out).toContain('Locked until it is removed: BTC/INR.');
  expect(paused.err).toContain('levles: unknown key');
  const status = await project.command('status');
  expect({ code: status.code, out: status.out }).toMatchObject({
    code: 0,
    out: expect.stringContaining('is locked'),
  });
  expect(paused.err).toContain(`was started before that, and is asked: ${project.stateFolder}.`);
  await quotes(project, 'BTC/INR', []);
  rmSync(file);
  expect(await project.steer('stop')).toMatchObject({ code: 0 });
  expect((await bot.ended).code).toBe(0);
  writeFileSync(file, whole);
  expect((await project.truth()).orders).toEqual([]);
});

test('cancel-all tells the bot where its configuration is broken, and does not say that it is proved', async () => {
  const { project, bot } = await quotingProject();
  const file = path.join(project.folder, project.config);
  const whole = readFileSync(file, 'utf8');
  writeFileSync(file, whole.replace('levels:', 'levles:'));
  const told = await project.start(['cancel-all', project.config]).ended;
  expect(told).toMatchObject({ code: 75 });
  expect(told.out).toContain('The kill latch is set: the bot cancels its orders');
  expect((await bot.ended).code).toBe(77);
  writeFileSync(file, whole);
  expect((await project.truth()).orders).toEqual([]);
});

describe('pause and resume', () => {
  test('of one side take its orders off and bring them back; other symbols go on; a restart keeps a lock', async () => {
    const { project, bot } = await quotingProject();
    expect(statSync(path.join(project.stateFolder, 'control.sock')).mode & 0o777).toBe(0o600);

    const paused = await project.steer('pause', 'BTC/INR', '--side', 'buy', '--reason', 'News at noon');
    expect(paused).toMatchObject({ code: 0 });
    expect(paused.out).toContain('Locked until it is removed: the buy side of BTC/INR.');
    await quotes(project, 'BTC/INR', ['sell']);
    await quotes(project, 'ETH/INR', ['buy', 'sell']);
    const status = await project.command('status');
    expect(status.out).toContain('BTC/INR: buying is locked until it is removed: News at noon');
    const page = await fetch(`http://127.0.0.1:${project.pagePort}/metrics`);
    expect(await page.text()).toContain('quotekeeper_locks{symbol="BTC/INR",code="operator"} 1');

    bot.signal('SIGKILL');
    await bot.ended;
    await project.readyBot();
    await quotes(project, 'BTC/INR', ['sell']);

    const resumed = await project.steer('resume', 'BTC/INR', '--json');
    expect(JSON.parse(resumed.out)).toMatchObject({ done: ['Resumed: BTC/INR; lock by operator.'] });
    await quotes(project, 'BTC/INR', ['buy', 'sell']);
    const again = await project.steer('resume');
    expect(again.out).toContain('BTC/INR was neither paused nor halted.');
  });
});

test('a token that is typed where it does not belong is refused, also a new one, and no file keeps it', async () => {
  const { project, bot } = await quotingProject();
  renewPageToken(project.stateFolder, 'steer');
  const token = readFileSync(pageTokenFile(project.stateFolder, 'steer'), 'utf8').trim();
  for (const typed of [token, token.slice(5, 35), [...token].join(' ')]) {
    const { code, err } = await project.steer('pause', '--reason', typed);
    expect([code, err]).toEqual([64, expect.stringContaining('The command holds a token or a key of the bot')]);
  }
  const changed = await project.steer('set', 'BTC/INR', `params.quantity=${token}`, '--yes');
  expect(changed.code).not.toBe(0);
  await expectStop(bot);
  const files = readdirSync(project.stateFolder, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && entry.name !== 'page-token',
  );
  expect(files.length).toBeGreaterThan(5);
  const holding = files.filter((file) =>
    readFileSync(path.join(file.parentPath, file.name)).includes(token.slice(5, 35)),
  );
  expect(holding.map(({ name }) => name)).toEqual([]);
});

test('by the page whoever has the token stops it, and its last status is still shown', async () => {
  const { project, bot } = await quotingProject();
  const url = `http://127.0.0.1:${project.pagePort}`;
  const post = (path: string, body: object, secrets: Record<string, string> = {}) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url, ...secrets },
      body: JSON.stringify(body),
    });
  const token = readFileSync(path.join(project.stateFolder, 'page-token'), 'utf8').trim();
  const signedIn = await post('/api/session', { token, name: 'asha' });
  const { secret } = z.object({ secret: z.string() }).parse(await signedIn.json());
  const read = async (place: string): Promise<unknown> => (await fetch(`${url}${place}`)).json();
  const intentId = await until('an order is shown', async () => {
    const { trader } = await project.status();
    return trader.symbols[0]?.orders[0]?.intentId;
  });
  expect(await read(`/api/orders/${intentId}/life`)).toMatchObject({
    events: expect.arrayContaining([expect.objectContaining({ what: 'intent' })]),
  });
  expect(await read('/api/parameters')).toContainEqual(
    expect.objectContaining({
      symbol: 'BTC/INR',
      parameters: expect.arrayContaining([expect.objectContaining({ path: 'symbol', value: 'BTC/INR' })]),
    }),
  );
  expect((await post('/api/command', { command: 'stop' })).status).toBe(401);
  expect((await project.command('page')).code).toBe(73);

  const stopped = await post('/api/command', { command: 'stop' }, { 'x-session': secret });
  expect(await stopped.json()).toEqual({ done: [expect.stringContaining('The bot stops')] });
  expect((await bot.ended).code).toBe(0);
  expect(bot.out()).not.toContain(token);

  const page = project.start(['page', project.config]);
  const past = await until('the page of the stopped bot', async () => (await fetch(`${url}/api/status`)).json());
  expect(past).toMatchObject({ isPast: true, trader: { phase: 'stopped' } });
  expect((await fetch(`${url}/ready`)).status).toBe(503);
  expect((await fetch(`${url}/metrics`)).status).toBe(404);
  await expectStop(page);
});

test('of one that is killed in its first minute the page says that it is gone', async () => {
  const project = await newProject();
  const bot = await project.readyBot();
  bot.signal('SIGKILL');
  await bot.ended;
  const page = project.start(['page', project.config]);
  const url = `http://127.0.0.1:${project.pagePort}`;
  const past = await until('the page of the killed bot', async () => (await fetch(`${url}/api/status`)).json());
  expect(past).toMatchObject({ isPast: true, headline: { tone: 'stop', word: 'Gone' } });
  expect(page.out()).toContain('GONE without an end of its own, as of 20');
  await expectStop(page);
});

test('refusals change nothing, a pause of everything ends after its time, and stop ends as Ctrl-C does', async () => {
  const { project, bot } = await quotingProject();
  const refusals: readonly (readonly [readonly string[], string])[] = [
    [['pause', 'DOGE/INR'], 'DOGE/INR has no run here: configured are BTC/INR, ETH/INR.'],
    [['pause', 'BTC/INR', '--side', 'both'], 'buy or sell was expected.'],
    [['pause', '--for', '0m'], 'A time such as 90s, 10m, 2h or 1d was expected.'],
    [['pause', '--reason', ' '], "The command can't be read: reason"],
    [['resume', '--at', '100'], 'A price is of one symbol: name it.'],
    [['resume', 'BTC/INR', '--at', 'high'], "The command can't be read: price"],
  ];
  for (const [args, sentence] of refusals) {
    const { code, err } = await project.steer(...args);
    expect([args, code]).toEqual([args, 64]);
    expect(err).toContain(sentence);
  }
  expect(await send(project, '{"command":')).toEqual({ refused: 'The command could not be read.' });
  expect(await send(project, '{"command":"sell everything","by":"x"}')).toMatchObject({
    refused: expect.stringContaining("The command can't be read"),
  });
  expect(await send(project, JSON.stringify({ command: 'stop', by: 'a\nb' }))).toMatchObject({
    refused: expect.stringContaining('by'),
  });
  await quotes(project, 'BTC/INR', ['buy', 'sell']);
  // A pause of everything ends by itself after its time.
  expect(await project.steer('pause', '--for', '10s')).toMatchObject({ code: 0 });
  await project.quotes(0);
  for (const symbol of ['BTC/INR', 'ETH/INR']) await quotes(project, symbol, ['buy', 'sell']);
  expect((await project.steer('stop')).out).toContain('The bot stops: it cancels its orders and verifies');
  const { code, out } = await bot.ended;
  expect([code, out]).toEqual([0, expect.stringContaining('Done; no order of the bot is open.')]);
  const late = await project.steer('resume', 'BTC/INR');
  expect(late).toMatchObject({ code: 69, err: expect.stringContaining('nothing was changed') });
});
