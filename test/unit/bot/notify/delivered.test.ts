// The service itself confirms a message; an HTML page with 200, as from a captive portal, does not.
import { afterEach, expect, test } from '@jest/globals';
import type { Message } from '../../../../src/bot/base/message.ts';
import { openChannels } from '../../../../src/bot/notify/channels.ts';
import { notifySchema } from '../../../../src/bot/settings/notify/notify-section.ts';
import { type Answer, closeServers, httpReceiver } from './servers.ts';

const AT = Date.UTC(2026, 10, 26, 9, 12, 3);
const HALTED: Message = {
  ...{ id: 'a1b2c3d4-7', kind: 'problem', severity: 'page', op: 'symbol-halted', symbol: 'BTC/INR' },
  ...{ since: AT, at: AT, text: 'BTC/INR is halted.' },
};

afterEach(closeServers);

const page = { status: 200, body: '<html>Sign in</html>' };
const long = { status: 200, body: `<html>${'x'.repeat(100_000)}` };
test.each<['webhook' | 'slack' | 'discord' | 'telegram' | 'ntfy' | 'alertmanager', Answer, Answer[]]>([
  ['webhook', { status: 204 }, [{ status: 200, body: '{"a":4,"ok": false}' }]],
  ['slack', { status: 200, body: 'ok\n' }, [page, long, { status: 200, body: 'invalid_token' }, { status: 200 }]],
  ['discord', { status: 200, body: '{"id":"1"}' }, [page, long, { status: 200, body: 'ok' }, { status: 200 }]],
  [
    'telegram',
    { status: 200, body: '{"result":{},"ok":true}' },
    [page, long, { status: 200, body: '{"description":"ok\\":true"}' }, { status: 200, body: 'ok' }],
  ],
  ['ntfy', { status: 200, body: '{"id":"x"}' }, [page, long, { status: 200, body: 'ok' }, { status: 204 }]],
  ['alertmanager', { status: 200 }, [page, long]],
])('%s takes a message only by an answer of its own form', async (form, own, others) => {
  const receiver = await httpReceiver();
  const environment = { URL: `${receiver.url}/hook`, T: '12345:canary_Token-x' };
  const { server, url } = { server: receiver.url, url: { environment: 'URL' } };
  const options = {
    webhook: { url: server },
    slack: { url },
    discord: { url },
    telegram: { server, token: { environment: 'T' }, chatId: '1' },
    ntfy: { server, topic: 'qk' },
    alertmanager: { url: server },
  }[form];
  const notify = notifySchema.parse({ channels: [{ name: 'c', form, ...options }] });
  const settings = { notify, projectRoot: '/nowhere', mode: 'live' } as const;
  const sender = openChannels(settings, environment, 'bot').channels[0]?.sender;
  receiver.answer = own;
  expect((await sender?.send(HALTED))?.kind).toBe('sent');
  for (const answer of others) {
    receiver.answer = answer;
    expect(await sender?.send(HALTED)).toMatchObject({
      kind: 'failed',
      answer: expect.stringMatching(/^HTTP 20.* This answer does not confirm delivery\.$/),
    });
  }
});
