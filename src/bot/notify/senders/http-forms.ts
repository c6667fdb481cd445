// What each form of HTTP is sent: address, headers and JSON. Pure; the formats are those of the services' documents.
import { type DurationMs, HOUR, MINUTE } from '../../../domain/time.ts';
import { bodyOf, type Message, type Severity, type Speaker, titleOf } from '../../../notify/message.ts';

export interface HttpPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export type HttpForm = (message: Message) => HttpPost;

/** Longer texts are refused by some services. */
const LONGEST_TEXT = 1_500;
const DISCORD_LONGEST = 2_000;

export interface Place {
  readonly url: string;
  /** Goes into `Authorization`; null where there is none. */
  readonly token: string | null;
}

const authorized = (token: string | null): Record<string, string> =>
  token === null ? {} : { authorization: `Bearer ${token}` };

const cut = (text: string, length = LONGEST_TEXT): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text;

const inOne = (message: Message, speaker: Speaker): string =>
  `${titleOf(message, speaker)}\n${cut(bodyOf(message, speaker))}`;

/** Version 1 of our own format, which docs/notifications.md documents: fields may be added, none changes. */
export function webhook({ url, token }: Place, speaker: Speaker): HttpForm {
  return (message) => ({
    url,
    headers: { ...authorized(token), 'idempotency-key': message.id },
    body: {
      version: 1,
      id: message.id,
      bot: speaker.bot,
      process: speaker.process,
      kind: message.kind,
      severity: message.severity,
      op: message.op,
      symbol: message.symbol,
      since: isoTime(message.since),
      at: isoTime(message.at),
      title: titleOf(message, speaker),
      text: cut(message.text),
    },
  });
}

/** Their three signs would begin a link or a mention. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const slack =
  ({ url }: Place, speaker: Speaker): HttpForm =>
  (message) => ({ url, headers: {}, body: { text: escaped(inOne(message, speaker)), mrkdwn: false } });

/** Signs of Markdown, by which a text could hide where a link leads. */
const literal = (text: string): string => text.replace(/[\\*_~`|>#[\]()<]/g, '\\$&');

/** Nobody is mentioned, whatever the text holds. */
export const discord =
  ({ url }: Place, speaker: Speaker): HttpForm =>
  (message) => ({
    url,
    headers: {},
    body: { content: cut(literal(inOne(message, speaker)), DISCORD_LONGEST), allowed_mentions: { parse: [] } },
  });

/** `url`: of the server, without a slash at the end. The token is a part of the address. */
export const telegram =
  ({ url, token }: Place, chatId: string, speaker: Speaker): HttpForm =>
  (message) => ({
    url: `${url}/bot${token ?? ''}/sendMessage`,
    headers: {},
    body: {
      chat_id: chatId,
      text: inOne(message, speaker),
      disable_notification: message.severity === 'info',
      link_preview_options: { is_disabled: true },
    },
  });

const NTFY_PRIORITIES: Readonly<Record<Severity, number>> = { info: 2, warn: 3, page: 5 };
const NTFY_TAGS: Readonly<Record<Severity, string>> = {
  info: 'information_source',
  warn: 'warning',
  page: 'rotating_light',
};

/** The same sequence id makes a second attempt replace the first (ntfy 2.16 and newer). */
export const ntfy =
  ({ url, token }: Place, topic: string, speaker: Speaker): HttpForm =>
  (message) => ({
    url,
    headers: authorized(token),
    body: {
      topic,
      title: titleOf(message, speaker),
      message: cut(bodyOf(message, speaker)),
      priority: message.kind === 'all-clear' ? 3 : NTFY_PRIORITIES[message.severity],
      tags: [message.kind === 'all-clear' ? 'white_check_mark' : NTFY_TAGS[message.severity]],
      sequence_id: message.id,
    },
  });

const ALERT_SEVERITIES: Readonly<Record<Severity, string>> = { info: 'info', warn: 'warning', page: 'critical' };
/** What is not told again is over by then, as far as Alertmanager is concerned. */
const ALERT_LASTS_MS: DurationMs = HOUR;

/** An all-clear ends the warning that the problem may have been as well: that is an alert of its own. */
const severitiesOf = ({ kind, severity }: Message): readonly Severity[] =>
  kind === 'all-clear' && severity === 'page' ? ['page', 'warn'] : [severity];

/**
 * One alert for what has the same op, symbol and severity: a second attempt is the same alert. It ends with the
 * all-clear; else after two times `repeatAfterMs`, an hour at the least; that of a test after a minute.
 */
export const alertmanager =
  ({ url, token }: Place, repeatAfterMs: DurationMs, speaker: Speaker): HttpForm =>
  (message) => {
    const { kind, op, symbol, since, at, text } = message;
    const lastsMs = kind === 'test' ? MINUTE : Math.max(ALERT_LASTS_MS, 2 * repeatAfterMs);
    const endsAt = kind === 'all-clear' ? at : at + lastsMs;
    const alertOf = (severity: Severity): object => ({
      labels: {
        alertname: 'QuotekeeperNotification',
        bot: speaker.bot,
        op,
        severity: ALERT_SEVERITIES[severity],
        ...(symbol === null ? {} : { symbol }),
      },
      annotations: { summary: titleOf(message, speaker), description: cut(text) },
      startsAt: isoTime(Math.min(since, at)),
      endsAt: isoTime(endsAt),
    });
    return { url, headers: authorized(token), body: severitiesOf(message).map(alertOf) };
  };

const isoTime = (at: number): string => new Date(at).toISOString();
