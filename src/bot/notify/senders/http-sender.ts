// The interface of all channels: sends one message.
import { createGotTransport } from '../../../client/transport/got-transport.ts';
import { maskOf } from '../../../client/wire/secret.ts';
import { type DurationMs, HOUR, MINUTE, SECOND } from '../../../domain/time.ts';
import { realClock } from '../../../ports/clock.ts';
import type { HttpResult } from '../../../ports/transport.ts';
import { bodyOf, type Message, type Severity, type Speaker, titleOf } from '../../base/message.ts';
import { PROGRAM, VERSION } from '../../base/program.ts';
import type { ChannelSection } from '../../settings/notify/notify-section.ts';
import type { SendResult } from '../state.ts';

/** The answer in words for a person: `HTTP 200`, `SMTP 535 (EAUTH)`. Contains no secret. */
export type Sent = SendResult & { readonly answer: string };

export interface Sender {
  /** One attempt. Never throws, and ends within `ATTEMPT_MS`. */
  send(message: Message): Promise<Sent>;
  close(): void;
}

/** Timeout of one attempt. */
export const ATTEMPT_MS = 8_000;

// The JSON for each HTTP form. Pure; the formats follow the services' documents.

export type JsonOf = (message: Message, speaker: Speaker) => unknown;

/** Some services refuse longer texts. */
const LONGEST_TEXT = 1_500;
const DISCORD_LONGEST = 2_000;

export const cut = (text: string, length = LONGEST_TEXT): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text;

const inOne = (message: Message, speaker: Speaker): string =>
  `${titleOf(message, speaker)}\n${cut(bodyOf(message, speaker))}`;

/** Version 1 of our own format, documented in docs/notifications.md: fields may be added, none changes. */
export const webhook: JsonOf = (message, speaker) => ({
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
});

/** Slack's three special characters could begin a link or a mention. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export const slack: JsonOf = (message, speaker) => ({ text: escaped(inOne(message, speaker)), mrkdwn: false });

/** Markdown characters with which a text could disguise a link. */
const literal = (text: string): string => text.replace(/[\\*_~`|>#[\]()<]/g, '\\$&');

/** Mentions nobody, whatever the text holds. */
export const discord: JsonOf = (message, speaker) => ({
  content: cut(literal(inOne(message, speaker)), DISCORD_LONGEST),
  allowed_mentions: { parse: [] },
});

export const telegram =
  (chatId: string): JsonOf =>
  (message, speaker) => ({
    chat_id: chatId,
    text: inOne(message, speaker),
    disable_notification: message.severity === 'info',
    link_preview_options: { is_disabled: true },
  });

const NTFY_PRIORITIES: Readonly<Record<Severity, number>> = { info: 2, warn: 3, page: 5 };
const NTFY_TAGS: Readonly<Record<Severity, string>> = {
  info: 'information_source',
  warn: 'warning',
  page: 'rotating_light',
};

/** With the same sequence id, a second attempt replaces the first (ntfy 2.16 and newer). */
export const ntfy =
  (topic: string): JsonOf =>
  (message, speaker) => ({
    topic,
    title: titleOf(message, speaker),
    message: cut(bodyOf(message, speaker)),
    priority: message.kind === 'all-clear' ? 3 : NTFY_PRIORITIES[message.severity],
    tags: [message.kind === 'all-clear' ? 'white_check_mark' : NTFY_TAGS[message.severity]],
    sequence_id: message.id,
  });

const ALERT_SEVERITIES: Readonly<Record<Severity, string>> = { info: 'info', warn: 'warning', page: 'critical' };
/** Alertmanager considers an alert that is not repeated within this time to be over. */
const ALERT_LASTS_MS: DurationMs = HOUR;

/** An all-clear also ends the warning from which the page may have grown, since that is a separate alert. */
const severitiesOf = ({ kind, severity }: Message): readonly Severity[] =>
  kind === 'all-clear' && severity === 'page' ? ['page', 'warn'] : [severity];

/**
 * One alert per op, symbol and severity, so a second attempt is the same alert. It ends with the all-clear, or else
 * after twice `repeatAfterMs`, at least an hour; a test's ends after a minute.
 */
export const alertmanager =
  (repeatAfterMs: DurationMs): JsonOf =>
  (message, speaker) => {
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
    return severitiesOf(message).map(alertOf);
  };

const isoTime = (at: number): string => new Date(at).toISOString();

// Sends one POST of JSON and judges the answer. Uses its own connections, so that no request to the exchange waits for
// it.

/** No service answers more than this. */
const MAX_ANSWER_BYTES = 64 * 1024;
const SHOWN_OF_ANSWER = 160;
/** Maybe the message's fault: too long, or malformed. Maybe the channel's: a chat that has moved. */
const REFUSALS: readonly number[] = [400, 413, 422];

interface Answer {
  readonly status: number;
  readonly body: string;
}

/**
 * Whether a 2xx answer proves delivery. Each service has its own form of answer; a login page, a proxy or a wrong
 * address also answers 200.
 */
const IS_TAKEN: Readonly<Record<HttpChannel['form'], (answer: Answer) => boolean>> = {
  webhook: ({ body }) => jsonObject(body)?.ok !== false,
  slack: ({ body }) => body.trim() === 'ok',
  discord: ({ status, body }) => status === 204 || jsonObject(body) !== null,
  telegram: ({ body }) => jsonObject(body)?.ok === true,
  ntfy: ({ body }) => jsonObject(body) !== null,
  alertmanager: ({ body }) => !isPage(body),
};

export type HttpChannel = Exclude<ChannelSection, { form: 'email' }>;

/** Where a channel posts to. */
export interface Place {
  readonly form: HttpChannel['form'];
  readonly url: string;
  /** Goes into `Authorization`; null if there is none. */
  readonly token: string | null;
  /** The sender removes them from answers. */
  readonly secrets: readonly string[];
}

export function httpSender(place: Place, speaker: Speaker, jsonOf: JsonOf): Sender {
  const { form, url, token } = place;
  const transport = createGotTransport(
    { baseUrls: [new URL(url).origin], allowsPlainHttp: true, maxConnections: 1, maxBodyBytes: MAX_ANSWER_BYTES },
    realClock,
  );
  const own = { 'content-type': 'application/json', 'user-agent': `${PROGRAM}/${VERSION}`, connection: 'close' };
  return {
    send: async (message: Message) => {
      const body = JSON.stringify(jsonOf(message, speaker));
      const headers = {
        ...own,
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(form === 'webhook' && { 'idempotency-key': message.id }),
      };
      return judged(await transport.send({ method: 'POST', url, headers, deadlineMs: ATTEMPT_MS, body }), place);
    },
    close: () => transport.close(),
  };
}

/** What an answer means for the message that was sent. */
export function judged(result: HttpResult, place: Place): Sent {
  if (result.kind === 'fault') {
    const { status, reason } = result.fault;
    // The status tells how the channel answered, however long the body is.
    if (reason === 'too-large' && status !== undefined)
      return judged({ ...result, kind: 'response', status, headers: result.headers ?? {}, body: '<' }, place);
    const because = result.fault.detail;
    return { kind: 'failed', because, retryAfterMs: null, answer: because };
  }
  const { status, headers, body } = result;
  const words = wordsIn(body, place.secrets);
  const answer = `HTTP ${status}${words === '' ? '' : `: ${words}`}`;
  const is2xx = status >= 200 && status < 300;
  if (is2xx && IS_TAKEN[place.form]({ status, body })) return { kind: 'sent', answer };
  const because = /[.!?]$/.test(answer) ? answer : `${answer}.`;
  if (is2xx) return unconfirmed(because);
  if (REFUSALS.includes(status)) return { kind: 'refused', because, answer };
  return { kind: 'failed', because, retryAfterMs: retryAfterOf(headers['retry-after'], body), answer };
}

function unconfirmed(answered: string): Sent {
  const because = `${answered} This answer does not confirm delivery.`;
  return { kind: 'failed', because, retryAfterMs: null, answer: because };
}

const isPage = (body: string): boolean => /^\s*</.test(body);

/** Null if the body is anything else. */
function jsonObject(body: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** The beginning of an answer, on one line, without the request's secrets. */
function wordsIn(body: string, secrets: readonly string[]): string {
  const clean = maskOf(secrets)(body);
  // A gateway's error page adds nothing to its status.
  if (isPage(clean)) return '';
  const line = clean
    .replace(/\s+/g, ' ')
    .replace(/[^\x20-\x7e]/g, '')
    .trim();
  return line.length > SHOWN_OF_ANSWER ? `${line.slice(0, SHOWN_OF_ANSWER)} …` : line;
}

/** Milliseconds, from seconds in the header or in the JSON of Telegram and Discord. */
function retryAfterOf(header: string | undefined, body: string): number | null {
  const seconds = Number(header ?? /"retry_after"\s*:\s*([\d.]+)/.exec(body)?.[1]);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * SECOND : null;
}
