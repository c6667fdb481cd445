// `notify test` and what `check`, `run` and `watchdog` say of a channel that is no good.
import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { closeServers, httpReceiver, mailReceiver } from '../../unit/bot/notify/servers.ts';
import { endProjects, newProject } from '../bot-process.ts';

afterEach(async () => {
  await endProjects();
  await closeServers();
});

test('says per channel what came back: 0 where all took it, 69 where one did not, 64 for an unknown name', async () => {
  const [good, bad] = [await httpReceiver(), await httpReceiver()];
  bad.answer = { status: 404 };
  const mail = await mailReceiver(undefined, ['gone@example.com']);
  const server = { host: '127.0.0.1', port: mail.port, tls: 'none', sender: 'a@b.c' };
  const channels = [
    { form: 'webhook', name: 'good', url: good.url },
    { form: 'alertmanager', name: 'bad', url: bad.url },
    { form: 'email', name: 'half', ...server, to: ['ops@example.com', 'gone@example.com'] },
  ];
  const project = await newProject({ notify: { channels } });
  const run = (...options: string[]) => project.ask('notify', 'test', project.file, ...options);

  const one = await run('--channel', 'good');
  expect({ code: one.code, err: one.err }).toEqual({ code: 0, err: '' });
  expect(one.out).toMatch(/^PAPER, no real money: .*\nok {5}good \(webhook\): HTTP 200: ok \d+ ms\n$/);

  const all = await run('--json');
  expect(all.code).toBe(69);
  expect(JSON.parse(all.out)).toMatchObject({
    stateFolder: project.stateFolder,
    channels: [
      { channel: 'good', taken: true, answer: 'HTTP 200: ok' },
      { channel: 'bad', taken: false, answer: 'HTTP 404' },
      { channel: 'half', taken: false, answer: expect.stringMatching(/refused 1 of 2 recipients: gone@example.com/) },
    ],
  });
  expect((await run('--channel', 'half')).code).toBe(69);
  expect(good.texts('op')).toEqual(['test', 'test']);

  const none = await run('--channel', 'nobody');
  expect([none.code, none.err]).toEqual([64, 'There is no channel nobody; there are good, bad, half.\n']);
  project.configure();
  expect(await run()).toMatchObject({ code: 64, err: expect.stringContaining('no section `notify`') });
  expect((await project.ask('notify', '--help')).out).toContain('send a test message');
});

test('a secret that is missing, or that others may read, is a sentence of every start, and of `check`', async () => {
  const channels = [{ form: 'slack', name: 'team', url: { file: 'slack-url' } }];
  const project = await newProject({ notify: { channels } });
  const file = path.join(project.folder, 'slack-url');
  for (const command of ['check', 'run', 'watchdog', 'notify test']) {
    const { code, err } = await project.start([...command.split(' '), project.config]).ended;
    expect({ command, code, err }).toEqual({
      ...{ command, code: 78 },
      err: `notify.channels[0] (team): There is no secret file ${file}.\n`,
    });
  }
  writeFileSync(file, 'http://example.com/canary-path');
  chmodSync(file, 0o644);
  expect((await project.command('check')).err).toContain(`run \`chmod 600 ${file}\``);
  chmodSync(file, 0o600);
  const { code, out, err } = await project.command('check');
  expect([code, err]).toEqual([78, 'notify.channels[0] (team): Its address is a secret, and not https.\n']);
  expect(out).not.toContain('canary');
  // Offline nothing of this machine is looked at.
  expect((await project.command('check', '--offline')).code).toBe(0);
});
