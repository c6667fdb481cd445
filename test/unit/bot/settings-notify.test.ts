// The section `notify`: the documented example, and every mistake as a sentence that shows no secret.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { enterProject, leaveProject, load, PAPER, refusal, write } from './settings-project.ts';

beforeEach(() => void enterProject());
afterEach(leaveProject);

const withChannel = (...lines: readonly string[]): string =>
  `${PAPER}\nnotify:\n  channels:\n    - ${lines.join('\n      ')}\n`;
const WEBHOOK = ['form: webhook', 'name: hook', 'url: https://example.com/hook'];

const refusalOf = async (...lines: readonly string[]): Promise<string> =>
  (await refusal([write('a.yaml', withChannel(...lines))])).join('\n');

test('without the section nobody is notified', async () => {
  expect((await load(PAPER)).notify).toBeNull();
});

test('the examples of docs/notifications.md are valid', async () => {
  const document = readFileSync(path.resolve(import.meta.dirname, '../../../docs/notifications.md'), 'utf8');
  const examples = [...document.matchAll(/```yaml\n(notify:\n.*?)```/gs)].map(([, text = '']) => text);
  const forms = new Set<string>();
  for (const example of examples) {
    const { notify } = await load(`${PAPER}\n${example}`);
    for (const { form } of notify?.channels ?? []) forms.add(form);
  }
  expect([...forms].sort()).toEqual(['alertmanager', 'discord', 'email', 'ntfy', 'slack', 'telegram', 'webhook']);
});

test('defaults', async () => {
  const { notify } = await load(withChannel(...WEBHOOK));
  expect(notify).toEqual({
    repeatAfterMs: 1_800_000,
    channels: [{ form: 'webhook', name: 'hook', from: 'page', except: [], url: 'https://example.com/hook' }],
  });
});

describe('a mistake', () => {
  test.each([
    ['a form that is none', ['form: pager', 'name: x'], 'channels[0].form: "pager" is not'],
    [
      'a severity that is none',
      [...WEBHOOK, 'from: error'],
      'channels[0].from: "error" is not one of info, warn, page',
    ],
    [
      'a name with a space',
      ['form: webhook', 'name: my hook', 'url: https://a.b'],
      'channels[0].name: "my hook" is not',
    ],
    ['no address', ['form: webhook', 'name: hook'], 'channels[0].url: missing; expected an address'],
    ['an unknown key', [...WEBHOOK, 'colour: red'], 'channels[0].colour: unknown key'],
    ['an op that is none', [...WEBHOOK, 'only: [symbol-haltd]'], 'only: nothing is called "symbol-haltd"'],
    ['the same in `except`', [...WEBHOOK, 'except: [nonsense]'], 'except: nothing is called "nonsense"'],
  ])('%s', async (_what, lines, sentence) => {
    expect(await refusalOf(...lines)).toContain(sentence);
  });

  test('an unknown op gets suggestions of similar ones', async () => {
    expect(await refusalOf(...WEBHOOK, 'only: [symbol-haltd]')).toContain('symbol-halted, symbol-resumed');
  });

  test('a duplicate name', async () => {
    const two = `${withChannel(...WEBHOOK)}    - { form: webhook, name: hook, url: https://example.com/b }\n`;
    expect((await refusal([write('a.yaml', two)])).join('\n')).toContain(
      'channels[1].name: hook is the name of channels[0] already.',
    );
  });
});

describe('commands', () => {
  const CHAT = 'form: telegram, name: x, token: { environment: T }, commands: true';

  test('are off until somebody turns them on', async () => {
    const { notify } = await load(withChannel('form: telegram', 'name: x', 'token: { environment: T }', 'chatId: 7'));
    expect(notify?.channels).toMatchObject([{ commands: false }]);
  });

  test.each([
    ['a channel without authors', `{ ${CHAT}, chatId: '@news' }`, 'channels[0].chatId: commands need the number of a'],
    ['what is neither yes nor no', `{ ${CHAT}ly, chatId: 7 }`, 'channels[0].commands: "truely" is not'],
    [
      'a second chat',
      `{ ${CHAT}, chatId: 7 }\n    - { ${CHAT.replace('x', 'y')}, chatId: 8 }`,
      'channels[1].commands: channels[0] takes the commands already; one chat can.',
    ],
  ])('%s is refused', async (_what, text, sentence) => {
    expect(await refusalOf(text)).toContain(sentence);
  });
});

describe('a secret in the file is refused, and not shown', () => {
  test.each([
    ['the address of Slack', ['form: slack', 'name: x', 'url: https://hooks.example.com/canary/T0']],
    ['an address with a password', ['form: webhook', 'name: x', 'url: https://me:canary@example.com/']],
    ['an address with a query', ['form: webhook', 'name: x', 'url: https://example.com/?token=canary']],
    ['a token', [...WEBHOOK, 'token: canary-canary']],
    ['a token for the name of its variable', [...WEBHOOK, 'token: { environment: canary-canary }']],
    ['a topic that is none', ['form: ntfy', 'name: x', 'topic: canary/canary']],
    ['a password', ['form: email', 'name: x', 'host: a', 'sender: a@b.c', 'to: [a@b.c]', 'password: canary']],
  ])('%s', async (_what, lines) => {
    const said = await refusalOf(...lines);
    expect(said).toMatch(/notify\.channels\[0\]/);
    expect(said).not.toContain('canary');
  });
});

describe('a secret sent unencrypted', () => {
  const MAIL = ['form: email', 'name: x', 'host: mail.example.com', 'sender: a@b.c', 'to: [a@b.c]'];
  const LOGIN = ['user: me', 'password: { environment: MAIL }'];
  const AM = ['form: alertmanager', 'name: x'];
  const TOKEN = 'token: { environment: T }';

  test.each([
    ['a token by http', [...AM, 'url: http://am.example.com:9093', TOKEN], 'the token would be sent in the clear'],
    [
      'a secret topic by http',
      ['form: ntfy', 'name: x', 'server: http://n.example.com', 'topic: { environment: T }'],
      'the topic',
    ],
    ['a password without TLS', [...MAIL, ...LOGIN, 'tls: none'], 'tls: the password would be sent in the clear'],
    ['a name without a password', [...MAIL, 'user: me'], 'user: user and password belong together.'],
    ['a password without a name', [...MAIL, LOGIN[1] ?? ''], 'password: user and password belong together.'],
  ])('%s is refused', async (_what, lines, sentence) => {
    expect(await refusalOf(...lines)).toContain(sentence);
  });

  test.each([
    ['http without a token', [...AM, 'url: http://am.example.com:9093']],
    ['a token by http on this machine', [...AM, 'url: http://127.0.0.1:9093', TOKEN]],
    ['the same by IPv6', [...AM, 'url: http://[::1]:9093', TOKEN]],
    ['a password by STARTTLS', [...MAIL, ...LOGIN]],
    ['words without a password in the clear', [...MAIL, 'tls: none']],
  ])('%s is taken', async (_what, lines) => {
    expect((await load(withChannel(...lines))).notify?.channels).toHaveLength(1);
  });
});
