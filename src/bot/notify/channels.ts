// Opens the configured channels and reads their secrets. Errors are reported here, at the start.
import { randomBytes } from 'node:crypto';
import { realClock } from '../../ports/clock.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import type { Message, Speaker } from '../base/message.ts';
import { type Environment, readSecret } from '../keys/keys.ts';
import { isOpen } from '../settings/checks/notify-checks.ts';
import type { SecretSection } from '../settings/fields.ts';
import type { ChannelSection, NotifySection } from '../settings/notify/notify-section.ts';
import { secretSource } from '../settings/resolve.ts';
import type { Settings } from '../settings/types.ts';
import { emailSender } from './senders/email-sender.ts';
import * as forms from './senders/http-sender.ts';
import { httpSender, type Sender } from './senders/http-sender.ts';
import { type ChatServer, telegramChat } from './senders/telegram-chat.ts';
import type { NotifyRules } from './state.ts';

export interface Channel {
  readonly name: string;
  readonly form: ChannelSection['form'];
  readonly sender: ChannelSender;
}

/** `chat`: where it takes commands; absent if it takes none. */
type ChannelSender = Sender & { readonly chat?: ChatServer };

export interface Channels {
  readonly channels: readonly Channel[];
  /** Texts that no log may show. */
  readonly secrets: readonly string[];
}

type Configured = Pick<Settings, 'notify' | 'projectRoot' | 'mode'>;

/** Per channel: messages a minute (a third reserved for pages, the excess summed up in one), and most that wait. */
const FLOW = { maxPerMinute: 10, mostWaiting: 500 };

export function rulesOf({ repeatAfterMs, channels }: NotifySection, flow: Partial<typeof FLOW> = {}): NotifyRules {
  const { maxPerMinute, mostWaiting } = { ...FLOW, ...flow };
  return {
    repeatAfterMs,
    mostWaiting,
    channels: channels.map(({ name, from, only = null, except }) => ({ name, from, only, except, maxPerMinute })),
  };
}

/** Reads every secret. Throws `StartError` (78) with a sentence for each missing or invalid one, never quoting it. */
export function openChannels(settings: Configured, environment: Environment, process: Speaker['process']): Channels {
  // The sender's name: from the configuration, or else the mode.
  const speaker = { bot: settings.notify?.bot ?? settings.mode, process };
  const secrets: string[] = [];
  const wrong: string[] = [];
  const channels = (settings.notify?.channels ?? []).flatMap((section, index): Channel[] => {
    const open = { settings, environment, speaker, secrets: [] as string[] };
    try {
      const sender = senderOf(section, open);
      secrets.push(...open.secrets);
      return [{ name: section.name, form: section.form, sender }];
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      wrong.push(`notify.channels[${index}] (${section.name}): ${error.message}`);
      return [];
    }
  });
  if (wrong.length === 0) return { channels, secrets };
  for (const { sender } of channels) sender.close();
  throw new StartError(EXIT.configurationInvalid, wrong.join('\n'));
}

interface Opening {
  readonly settings: Configured;
  readonly environment: Environment;
  readonly speaker: Speaker;
  /** This channel's secrets, added as they are read. */
  readonly secrets: string[];
}

function senderOf(section: ChannelSection, open: Opening): ChannelSender {
  const { speaker, settings } = open;
  if (section.form === 'email')
    return emailSender(section, section.password === undefined ? null : read(section.password, open), speaker);
  const place = placeOf(section, open);
  const over = (jsonOf: forms.JsonOf, to: Target = place): Sender =>
    httpSender({ form: section.form, secrets: open.secrets, ...to }, speaker, jsonOf);
  // For an address that gets a path appended.
  const below = place.url.replace(/\/$/, '');
  switch (section.form) {
    case 'webhook':
      return over(forms.webhook);
    case 'slack':
      return over(forms.slack);
    case 'discord':
      return over(forms.discord);
    case 'telegram': {
      if (!/^\d+:[\w-]+$/.test(place.token ?? '')) throw invalid('The token is not a Telegram bot’s.');
      const url = `${below}/bot${place.token}`;
      const sender = over(forms.telegram(section.chatId), { url: `${url}/sendMessage`, token: null });
      const chat = telegramChat({ url, chatId: section.chatId, secrets: open.secrets }, realClock);
      return section.commands ? { ...sender, chat } : sender;
    }
    case 'ntfy': {
      const topic = typeof section.topic === 'string' ? section.topic : read(section.topic, open);
      if (!/^[-_A-Za-z0-9]{1,64}$/.test(topic)) throw invalid('The topic is not 1 to 64 letters, digits, - and _.');
      return over(forms.ntfy(topic));
    }
    case 'alertmanager': {
      const repeatAfterMs = settings.notify?.repeatAfterMs ?? 0;
      return over(forms.alertmanager(repeatAfterMs), { ...place, url: `${below}/api/v2/alerts` });
    }
  }
}

type Target = Pick<forms.Place, 'url' | 'token'>;

/** An address that is a secret, or is sent one, must use https or be on this machine. */
function placeOf(section: Exclude<ChannelSection, { form: 'email' }>, open: Opening): Target {
  const written = 'server' in section ? section.server : section.url;
  const token = 'token' in section && section.token !== undefined ? read(section.token, open) : null;
  const text = typeof written === 'string' ? written : read(written, open);
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw invalid('Its address is invalid.');
  if (url.username !== '' || url.password !== '') throw invalid('Its address holds a password: give a token instead.');
  if (typeof written !== 'string' && isOpen(text)) throw invalid('Its address is a secret, and not https.');
  // The path of such an address is the secret; an answer may quote it without its host.
  if (typeof written !== 'string') open.secrets.push(url.href, ...[url.pathname + url.search].filter(isTelling));
  return { url: url.href, token };
}

const isTelling = (path: string): boolean => path.length >= 8;

function read(source: SecretSection, { settings, environment, secrets }: Opening): string {
  const text = readSecret(secretSource(source, settings.projectRoot), environment).reveal();
  secrets.push(text);
  return text;
}

const invalid = (sentence: string): StartError => new StartError(EXIT.configurationInvalid, sentence);

// `notify test`: sends one message through each channel, bypassing all filters, and reports the answers.

export type TestResult = Awaited<ReturnType<typeof testOne>>;

/**
 * `only`: the name of one channel; null for all. Throws `StartError`: 64 if there is no such channel, or none at all;
 * 78 for a missing or invalid secret.
 */
export async function testChannels(
  settings: Settings,
  environment: Environment,
  only: string | null,
): Promise<readonly TestResult[]> {
  const names = settings.notify?.channels.map(({ name }) => name) ?? [];
  if (names.length === 0)
    throw new StartError(EXIT.usage, 'The configuration has no section `notify`: nobody is notified.');
  if (only !== null && !names.includes(only))
    throw new StartError(EXIT.usage, `There is no channel ${only}; there are ${names.join(', ')}.`);
  const { channels } = openChannels(settings, environment, 'bot');
  try {
    return await Promise.all(channels.filter(({ name }) => only === null || name === only).map(testOne));
  } finally {
    for (const { sender } of channels) sender.close();
  }
}

/** `taken`: delivered to all recipients of the channel; `answer`: the response in words. */
async function testOne({ name, form, sender }: Channel) {
  const from = realClock.monotonic();
  const now = realClock.now();
  const message: Message = {
    ...{ id: `test-${randomBytes(4).toString('hex')}`, kind: 'test', severity: 'page', op: 'test', symbol: null },
    ...{ since: now, at: now },
    text: 'A test: nothing has happened. A message that wakes you would look like this one.',
  };
  const sent = await sender.send(message);
  const taken = sent.kind === 'sent' && sent.without === undefined;
  return { channel: name, form, taken, answer: sent.answer, ms: Math.round(realClock.monotonic() - from) };
}
