// The notifications section: the channels, their filters, and where their secrets are.
import { z } from 'zod';
import { SEVERITIES } from '../../base/message.ts';
import { address, durationMs, filled, port, secret, word } from '../fields.ts';

/** An address without secrets, which must not be in the configuration. */
const openAddress = () =>
  z
    .string()
    .refine(isOpenAddress)
    .meta({ expects: 'an address (http or https, no password, no query; one with a secret comes from a file)' });

function isOpenAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false;
  return url.username === '' && url.password === '' && url.search === '' && url.hash === '';
}

const mailAddress = () => word(/^[^\s@<>,]+@[^\s@<>,]+$/, 'an address such as ops@example.com');

const ops = () => z.array(filled()).min(1);

const common = {
  name: word(/^[a-z0-9-]{1,40}$/, 'a name of lower-case letters, digits and dashes').describe(
    'Its name in logs, metrics and `notify test --channel`.',
  ),
  from: z
    .enum(SEVERITIES)
    .default('page')
    .describe('The lowest severity that it takes. `page`: conditions that wake a person; `info`: everything.'),
  only: ops()
    .optional()
    .describe('Only these ops, as the log calls them; docs/notifications.md lists the most important.'),
  except: ops().default([]).describe('All but these ops.'),
};

// Shared options use the same text in all forms, so that the document has one row for them.
const URL_WORDS =
  'The address to post to; for Alertmanager without `/api/v2/alerts`. The addresses of Slack and Discord are ' +
  'secrets: give them by a file or variable.';
const TOKEN_WORDS = 'Telegram: the token of its bot. Else sent as `Authorization: Bearer …`.';
const SERVER_WORDS = 'Telegram and ntfy: the server.';

const posted = {
  url: z.union([openAddress(), secret()]).describe(URL_WORDS),
  token: secret().optional().describe(TOKEN_WORDS),
};

const channelSchema = z.discriminatedUnion('form', [
  z.strictObject({ form: z.literal('webhook').describe('Kind of channel.'), ...common, ...posted }),
  z.strictObject({ form: z.literal('slack'), ...common, url: secret().describe(URL_WORDS) }),
  z.strictObject({ form: z.literal('discord'), ...common, url: secret().describe(URL_WORDS) }),
  z.strictObject({
    form: z.literal('telegram'),
    ...common,
    token: secret().describe(TOKEN_WORDS),
    chatId: word(/^(?:-?\d{1,20}|@\w{4,64})$/, 'the number of a chat, or @name of a channel').describe(
      'Where it writes to.',
    ),
    commands: z
      .boolean()
      .default(false)
      .describe('Whoever writes in this chat commands the bot: see docs/notifications.md.'),
    server: address().default('https://api.telegram.org').describe(SERVER_WORDS),
  }),
  z.strictObject({
    form: z.literal('ntfy'),
    ...common,
    server: openAddress().default('https://ntfy.sh').describe(SERVER_WORDS),
    topic: z
      .union([word(/^[-_A-Za-z0-9]{1,64}$/, 'the name of a topic'), secret()])
      .describe('From a file or variable if knowing it is enough to read it, as on a public server.'),
    token: secret().optional().describe(TOKEN_WORDS),
  }),
  z.strictObject({ form: z.literal('alertmanager'), ...common, ...posted }),
  z.strictObject({
    form: z.literal('email'),
    ...common,
    host: filled().describe('The SMTP server.'),
    port: port().default(587).describe('Its port.'),
    tls: z
      .enum(['starttls', 'implicit', 'none'])
      .default('starttls')
      .describe('`implicit`: from the first byte, mostly port 465. `none`: in the clear; no password is sent so.'),
    user: filled().optional().describe('The name to log in with.'),
    password: secret().optional().describe('Its password.'),
    sender: mailAddress().describe('Whom it comes from.'),
    to: z.array(mailAddress()).min(1).max(20).describe('Whom it goes to.'),
  }),
]);

export const notifySchema = z
  .strictObject({
    bot: word(/^[\w .-]{1,40}$/, 'up to 40 letters, digits, spaces, dots and dashes')
      .optional()
      .describe('Name of this bot in messages. Default: `paper` or `live`.'),
    repeatAfterMs: durationMs(10_000).default(1_800_000).describe('Lasting problems are repeated at this interval.'),
    channels: z.array(channelSchema).min(1).max(20).describe('Where messages go.'),
  })
  .describe(
    'Where bot and watchdog send messages. Set it before real money is at stake: left out, nobody is called. ' +
      'docs/notifications.md has an example of each form.',
  );

export type NotifySection = z.output<typeof notifySchema>;
export type ChannelSection = NotifySection['channels'][number];
