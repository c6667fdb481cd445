// Each form of a channel against a real server on loopback: what arrives, what an answer means, and that no secret
// shows anywhere.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { StartError } from '../../../../src/bot/base/exit-codes.ts';
import type { Message } from '../../../../src/bot/base/message.ts';
import { openChannels, testChannels } from '../../../../src/bot/notify/channels.ts';
import type { Sender, Sent } from '../../../../src/bot/notify/senders/http-sender.ts';
import { notifySchema } from '../../../../src/bot/settings/notify/notify-section.ts';
import type { Settings } from '../../../../src/bot/settings/types.ts';
import { closeServers, httpReceiver, mailReceiver } from './servers.ts';

const AT = Date.UTC(2026, 10, 26, 9, 12, 3);
const HALTED: Message = {
  id: 'a1b2c3d4-7',
  kind: 'problem',
  severity: 'page',
  op: 'symbol-halted',
  symbol: 'BTC/INR',
  since: AT,
  at: AT,
  text: 'BTC/INR is halted: the price jumped <by> 5 % & stayed. @everyone',
};
const OVER: Message = { ...HALTED, id: 'a1b2c3d4-8', kind: 'all-clear', at: AT + 600_000, text: 'Over, after 10 min.' };

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'notify-'));
});
afterEach(async () => {
  await closeServers();
  rmSync(folder, { recursive: true, force: true });
});

/** The path of a secret file, for the configuration. */
function secretFile(text: string, mode = 0o600): string {
  const name = `secret-${Math.floor(performance.now() * 1_000)}`;
  writeFileSync(path.join(folder, name), text, { mode });
  return name;
}

type Configured = Pick<Settings, 'notify' | 'projectRoot' | 'mode'>;
const settingsOf = (...channels: readonly object[]): Configured => ({
  notify: notifySchema.parse({ channels: channels.map((each, index) => ({ name: `c${index}`, ...each })) }),
  projectRoot: folder,
  mode: 'live',
});

const senderOf = (channel: object, environment: Record<string, string> = {}) => {
  const [opened] = openChannels(settingsOf(channel), environment, 'bot').channels;
  if (opened === undefined) throw new Error('No channel.');
  return opened.sender;
};

describe('content', () => {
  test('webhook: our own format, with the message’s id as idempotency key', async () => {
    const receiver = await httpReceiver();
    const sender = senderOf(
      { form: 'webhook', url: `${receiver.url}/hook`, token: { environment: 'HOOK' } },
      { HOOK: 'canary-token-1' },
    );
    expect(await sender.send(HALTED)).toEqual({ kind: 'sent', answer: 'HTTP 200: ok' });
    const [posted] = receiver.taken;
    expect([posted?.path, posted?.headers.authorization, posted?.headers['idempotency-key']]).toEqual([
      '/hook',
      'Bearer canary-token-1',
      'a1b2c3d4-7',
    ]);
    expect(posted?.body).toEqual({
      version: 1,
      id: 'a1b2c3d4-7',
      bot: 'live',
      process: 'bot',
      kind: 'problem',
      severity: 'page',
      op: 'symbol-halted',
      symbol: 'BTC/INR',
      since: '2026-11-26T09:12:03.000Z',
      at: '2026-11-26T09:12:03.000Z',
      title: 'PAGE live: symbol-halted BTC/INR',
      text: HALTED.text,
    });
  });

  test('Slack: text, with characters of links and mentions escaped', async () => {
    const receiver = await httpReceiver();
    const url = { file: secretFile(`${receiver.url}/services/T0/B0/canary\n`) };
    expect((await senderOf({ form: 'slack', url }).send(HALTED)).kind).toBe('sent');
    expect(receiver.taken[0]?.path).toBe('/services/T0/B0/canary');
    expect(receiver.taken[0]?.body).toEqual({
      text:
        'PAGE live: symbol-halted BTC/INR\nBTC/INR is halted: the price jumped &lt;by&gt; 5 % &amp; stayed. ' +
        '@everyone\n2026-11-26 09:12:03 UTC',
      mrkdwn: false,
    });
  });

  test('Discord: content that mentions nobody and is not too long', async () => {
    const receiver = await httpReceiver();
    receiver.answer = { status: 204 };
    const url = { file: secretFile(`${receiver.url}/api/webhooks/1/canary`) };
    const sender = senderOf({ form: 'discord', url });
    expect((await sender.send({ ...HALTED, text: 'x'.repeat(5_000) })).kind).toBe('sent');
    const body = receiver.taken[0]?.body as { content: string; allowed_mentions: unknown };
    expect(body.allowed_mentions).toEqual({ parse: [] });
    expect(body.content.length).toBeLessThanOrEqual(2_000);
  });

  test('Telegram: to the chat, with the token in the address', async () => {
    const receiver = await httpReceiver();
    receiver.answer = { status: 200, body: '{"ok":true,"result":{}}' };
    const token = { environment: 'TELEGRAM' };
    const sender = senderOf(
      { form: 'telegram', token, chatId: '-1001234', server: receiver.url },
      { TELEGRAM: '12345:canary_Token-x' },
    );
    expect((await sender.send(HALTED)).kind).toBe('sent');
    expect(receiver.taken[0]?.path).toBe('/bot12345:canary_Token-x/sendMessage');
    expect(receiver.taken[0]?.body).toMatchObject({ chat_id: '-1001234', disable_notification: false });
  });

  test('ntfy: published as JSON, a page with the highest priority, an all-clear with a lower one', async () => {
    const receiver = await httpReceiver();
    const sender = senderOf({ form: 'ntfy', server: receiver.url, topic: 'qk' });
    await sender.send(HALTED);
    await sender.send(OVER);
    expect(receiver.taken.map(({ path: at }) => at)).toEqual(['/', '/']);
    expect(receiver.taken.map(({ body }) => body)).toEqual([
      {
        topic: 'qk',
        title: 'PAGE live: symbol-halted BTC/INR',
        message: `${HALTED.text}\n2026-11-26 09:12:03 UTC`,
        priority: 5,
        tags: ['rotating_light'],
        sequence_id: 'a1b2c3d4-7',
      },
      expect.objectContaining({ priority: 3, tags: ['white_check_mark'], title: 'OVER live: symbol-halted BTC/INR' }),
    ]);
  });

  test('Alertmanager: one alert by its labels, which the all-clear ends', async () => {
    const receiver = await httpReceiver();
    const sender = senderOf({ form: 'alertmanager', url: receiver.url });
    await sender.send(HALTED);
    await sender.send(OVER);
    expect(receiver.taken.map(({ path: at }) => at)).toEqual(['/api/v2/alerts', '/api/v2/alerts']);
    const [begins, ends] = receiver.taken.map(({ body }) => (body as { labels: object }[])[0]);
    expect(begins?.labels).toEqual({
      alertname: 'QuotekeeperNotification',
      bot: 'live',
      op: 'symbol-halted',
      severity: 'critical',
      symbol: 'BTC/INR',
    });
    expect(ends?.labels).toEqual(begins?.labels);
    expect(begins).toMatchObject({ startsAt: '2026-11-26T09:12:03.000Z', endsAt: '2026-11-26T10:12:03.000Z' });
    expect(ends).toMatchObject({ startsAt: '2026-11-26T09:12:03.000Z', endsAt: '2026-11-26T09:22:03.000Z' });
  });

  test('Alertmanager: the all-clear of a page also ends the alert of the earlier warning', async () => {
    const receiver = await httpReceiver();
    const sender = senderOf({ form: 'alertmanager', url: receiver.url });
    for (const message of [{ ...HALTED, severity: 'warn' } as const, HALTED, OVER]) await sender.send(message);
    const alerts = receiver.taken.flatMap(({ body }) => body as { labels: { severity: string }; endsAt: string }[]);
    const endOf = new Map(alerts.map(({ labels, endsAt }) => [labels.severity, endsAt]));
    expect([...endOf].sort()).toEqual([
      ['critical', '2026-11-26T09:22:03.000Z'],
      ['warning', '2026-11-26T09:22:03.000Z'],
    ]);
  });

  /** The first attempt may time out before a busy machine has loaded the library. */
  async function sentBy(sender: Sender): Promise<Sent> {
    const sent = await sender.send(HALTED);
    return sent.answer.includes('EABORT') ? sentBy(sender) : sent;
  }

  test('e-mail: over SMTP, with login, and an id that is the same in every attempt', async () => {
    const receiver = await mailReceiver({ user: 'qk', password: 'canary-password' });
    const sender = senderOf(
      {
        ...{ form: 'email', host: '127.0.0.1', port: receiver.port, tls: 'none', user: 'qk' },
        ...{ password: { environment: 'MAIL' }, sender: 'qk@example.com', to: ['ops@example.com', 'b@example.com'] },
      },
      { MAIL: 'canary-password' },
    );
    expect(await sentBy(sender)).toMatchObject({ kind: 'sent', answer: expect.stringMatching(/^SMTP 250/) });
    await sentBy(sender);
    const [first, second] = receiver.mails;
    expect(first?.to).toEqual(['ops@example.com', 'b@example.com']);
    expect(first?.user).toBe('qk');
    for (const mail of [first, second]) {
      expect(mail?.raw).toContain('Message-ID: <a1b2c3d4-7@example.com>');
      expect(mail?.raw).toContain('Subject: PAGE live: symbol-halted BTC/INR');
    }
  });
});

describe('the meaning of an answer', () => {
  const page = `<html>${'x'.repeat(100_000)}`;
  const notFound = '{"description":"chat not found"}';
  async function sentTo(answer: Exclude<Awaited<ReturnType<typeof httpReceiver>>['answer'], 'none'>): Promise<Sent> {
    const receiver = await httpReceiver();
    receiver.answer = answer;
    return senderOf({ form: 'webhook', url: receiver.url }).send(HALTED);
  }

  test.each([
    ['refused', 'HTTP 400: {"description":"chat not found"}', { status: 400, body: notFound }],
    ['failed', 'HTTP 401', { status: 401 }],
    ['failed', 'HTTP 404', { status: 404, body: '<html>Not here</html>' }],
    ['failed', 'HTTP 503', { status: 503 }],
    ['failed', 'HTTP 302: a redirect, not followed.', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
    ['sent', 'HTTP 202: ["accepted"]', { status: 202, body: '["accepted"]' }],
    // However long the page is.
    ['sent', 'HTTP 200', { status: 200, body: page }],
    ['refused', 'HTTP 413', { status: 413, body: page }],
    ['failed', 'HTTP 503', { status: 503, body: page }],
  ])('%s: %s', async (kind, words, answer) => {
    const sent = await sentTo(answer);
    expect([sent.kind, sent.answer]).toEqual([kind, words]);
  });

  test.each([
    [{ status: 429, headers: { 'retry-after': '17' } }, 17_000],
    [{ status: 429, body: '{"ok":false,"parameters":{"retry_after":42}}' }, 42_000],
    [{ status: 429, body: '{"message":"limited","retry_after":0.25}' }, 250],
    [{ status: 503 }, null],
  ])('%j names a pause of %s', async (answer, retryAfterMs) => {
    expect(await sentTo(answer)).toMatchObject({ retryAfterMs });
  });

  test('a password that the mail server refuses is a failure, without the password', async () => {
    const receiver = await mailReceiver({ user: 'qk', password: 'another' });
    const sender = senderOf(
      {
        ...{ form: 'email', host: '127.0.0.1', port: receiver.port, tls: 'none', user: 'qk', sender: 'a@b.c' },
        ...{ password: { environment: 'MAIL' }, to: ['a@b.c'] },
      },
      { MAIL: 'canary-password' },
    );
    expect(await sender.send(HALTED)).toMatchObject({ kind: 'failed', because: 'SMTP 535 (EAUTH).' });
  });

  test('a recipient refused by the mail server is named; if it refuses all, the channel fails', async () => {
    const receiver = await mailReceiver(undefined, ['gone@example.com']);
    const mail = { form: 'email', host: '127.0.0.1', port: receiver.port, tls: 'none', sender: 'a@b.c' };
    expect(await senderOf({ ...mail, to: ['ops@example.com', 'gone@example.com'] }).send(HALTED)).toMatchObject({
      kind: 'sent',
      without: 'The mail server refused 1 of 2 recipients: gone@example.com.',
    });
    const none = await senderOf({ ...mail, to: ['gone@example.com'] }).send(HALTED);
    expect(none).toMatchObject({ kind: 'failed', because: 'SMTP 550 (EENVELOPE).' });
  });

  test('a moved chat shows its new number', async () => {
    const receiver = await httpReceiver();
    const parameters = { migrate_to_chat_id: -1001234567890 };
    const description = 'Bad Request: group chat was upgraded to a supergroup chat';
    receiver.answer = { status: 400, body: JSON.stringify({ ok: false, error_code: 400, description, parameters }) };
    const channel = { form: 'telegram', token: { environment: 'T' }, chatId: '-1001', server: receiver.url };
    expect(await senderOf(channel, { T: '12345:canary_Token-x' }).send(HALTED)).toMatchObject({
      kind: 'refused',
      because: expect.stringContaining('"migrate_to_chat_id":-1001234567890'),
    });
  });

  test('a mail server without TLS gets nothing if TLS is required', async () => {
    const receiver = await mailReceiver();
    const mail = { form: 'email', host: '127.0.0.1', port: receiver.port, sender: 'a@b.c', to: ['a@b.c'] };
    expect((await senderOf(mail).send(HALTED)).kind).toBe('failed');
    expect(receiver.mails).toEqual([]);
  });

  test('a secret echoed in an answer is not shown', async () => {
    const receiver = await httpReceiver();
    const url = { file: secretFile(`${receiver.url}/services/canary-path`) };
    receiver.answer = { status: 403, body: `no access to /services/canary-path with canary-token-1` };
    const sender = senderOf({ form: 'webhook', url, token: { environment: 'HOOK' } }, { HOOK: 'canary-token-1' });
    expect(JSON.stringify(await sender.send(HALTED))).not.toContain('canary');
  });

  test.each([
    ['plainly', 'canary-token-1, canary-token-1canary-token-1 and canary-token-1'],
    ['as JSON', '{"a":"canary-token-1","b":"\\u0063anary-token-1 canary-token-1 \\"canary-token-1\\""}'],
  ])('nor does it if it comes back again and again, %s', async (_how, body) => {
    const receiver = await httpReceiver();
    receiver.answer = { status: 403, body };
    const channel = { form: 'webhook', url: `${receiver.url}/x`, token: { environment: 'HOOK' } };
    const sent = JSON.stringify(await senderOf(channel, { HOOK: 'canary-token-1' }).send(HALTED));
    expect(sent).toContain('[secret]');
    expect(sent).not.toContain('anary');
  });
});

describe('a channel that cannot be opened', () => {
  const refusalOf = (channel: object, environment: Record<string, string> = {}): string => {
    try {
      openChannels(settingsOf(channel), environment, 'bot');
    } catch (error) {
      expect(error).toBeInstanceOf(StartError);
      expect(error instanceof StartError && error.code).toBe(78);
      const { message } = error as StartError;
      expect(message).not.toContain('canary');
      return message;
    }
    return 'opened';
  };

  test.each([
    ['a file that is not there', { url: { file: 'none' } }, /There is no secret file .*\/none\./],
    ['a variable that is not set', { url: { environment: 'NONE' } }, /The environment variable NONE is not set/],
    ['what is no address', { url: { environment: 'NO_URL' } }, /Its address is invalid\./],
    ['another protocol', { url: { environment: 'FTP' } }, /Its address is invalid\./],
    ['http to another machine', { url: { environment: 'HTTP' } }, /Its address is a secret, and not https\./],
    ['a password in the address', { url: { environment: 'USER' } }, /Its address holds a password/],
  ])('%s', (_what, channel, sentence) => {
    const environment = {
      NO_URL: 'canary-words',
      FTP: 'ftp://example.com/canary',
      HTTP: 'http://example.com/canary',
      USER: 'https://me:canary@example.com/',
    };
    const message = refusalOf({ form: 'slack', ...channel }, environment);
    expect(message).toMatch(/^notify\.channels\[0\] \(c0\): /);
    expect(message).toMatch(sentence);
  });

  test('a malformed Telegram token, a malformed topic', () => {
    const telegram = { form: 'telegram', chatId: '1', token: { environment: 'T' } };
    expect(refusalOf(telegram, { T: 'canary-canary' })).toContain('The token is not a Telegram bot’s.');
    expect(refusalOf({ form: 'ntfy', topic: { environment: 'T' } }, { T: 'canary/canary' })).toContain(
      'The topic is not',
    );
  });

  test('all errors are reported at once', () => {
    const settings = settingsOf({ form: 'slack', url: { environment: 'A' } }, { form: 'discord', url: { file: 'b' } });
    expect(() => openChannels(settings, {}, 'bot')).toThrow(/channels\[0\] \(c0\).*\n.*channels\[1\] \(c1\)/);
  });
});

describe('notify test', () => {
  test('sends through each channel, and shows the answers', async () => {
    const [good, bad] = [await httpReceiver(), await httpReceiver()];
    bad.answer = { status: 404 };
    const settings = settingsOf(
      { form: 'webhook', url: good.url, only: ['latched'] },
      { form: 'ntfy', server: bad.url, topic: 'qk' },
    );
    expect(await testChannels(settings as Settings, {}, null)).toEqual([
      { channel: 'c0', form: 'webhook', taken: true, answer: 'HTTP 200: ok', ms: expect.any(Number) },
      { channel: 'c1', form: 'ntfy', taken: false, answer: 'HTTP 404', ms: expect.any(Number) },
    ]);
    expect(good.taken[0]?.body).toMatchObject({ kind: 'test', severity: 'page', title: 'TEST live: test' });
    expect(await testChannels(settings as Settings, {}, 'c0')).toHaveLength(1);
    await expect(testChannels(settings as Settings, {}, 'c9')).rejects.toThrow(
      'There is no channel c9; there are c0, c1.',
    );
    const none = { ...settings, notify: null } as Settings;
    await expect(testChannels(none, {}, null)).rejects.toThrow('no section `notify`');
  });
});
