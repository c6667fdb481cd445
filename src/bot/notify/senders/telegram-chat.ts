// Messages to the bot in a chat, and its answers there, by long polling, so that no port is open. Telegram's Bot API:
// https://core.telegram.org/bots/api (getMe, getUpdates, Message, sendMessage, ForceReply).
import { z } from 'zod';
import { createGotTransport } from '../../../client/transport/got-transport.ts';
import { readJson } from '../../../domain/text.ts';
import { type DurationMs, type EpochMs, SECOND } from '../../../domain/time.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { HttpResult } from '../../../ports/transport.ts';
import { PROGRAM, VERSION } from '../../base/program.ts';
import type { SendResult } from '../state.ts';
import { ATTEMPT_MS, cut, judged, type Place } from './http-sender.ts';

/** A chat that commands may come from. Another form of chat implements this. */
export interface ChatServer {
  /** The id of the configured chat. */
  readonly chat: string;
  /**
   * Waits for messages from the cursor `next` on, which confirms those before it; null: from the first that is not
   * confirmed. The first call only asks who the bot is. Never throws.
   */
  receive(next: number | null, signal: AbortSignal): Promise<Received | Failed>;
  /** One attempt to confirm the messages before the cursor. Never throws. */
  confirm(next: number): Promise<SendResult>;
  /** One attempt. Never throws. */
  answer(answer: ChatAnswer): Promise<SendResult>;
}

export interface Received {
  readonly kind: 'received';
  readonly messages: readonly ChatMessage[];
  readonly next: number | null;
}
export type Failed = Extract<SendResult, { readonly kind: 'failed' }>;

export interface ChatMessage {
  /** The same when the server repeats it. */
  readonly id: number;
  readonly chat: string;
  /** Names it in a reply. */
  readonly replyId: number;
  /** By this machine's clock, wherever the server's stands. */
  readonly sentAt: EpochMs;
  /** Null if it names no person, as that of an anonymous administrator. */
  readonly author: { readonly id: number; readonly name: string } | null;
  /** Empty for a picture. A command for this bot by name is without the name. */
  readonly text: string;
}

export interface ChatAnswer {
  readonly text: string;
  /** The message that it answers; null for news. */
  readonly replyTo: number | null;
  /** Opens a reply field: in a group, a bot gets only commands and replies. */
  readonly asksForReply: boolean;
}

/** `url`: `https://api.telegram.org/bot<token>`, a secret. */
type TelegramPlace = Pick<Place, 'url' | 'secrets'> & { readonly chatId: string };

/** Shorter than routers keep a silent connection. */
const POLL_SECONDS = 25;
/** Few, so that the longest messages of strangers fit into one answer. */
const WANTED = { timeout: POLL_SECONDS, limit: 10, allowed_updates: ['message'] };
/** Telegram refuses texts of more than 4,096. */
const LONGEST_TEXT = 4_000;
const HEADERS = { 'content-type': 'application/json', 'user-agent': `${PROGRAM}/${VERSION}`, connection: 'close' };

export function telegramChat({ url, chatId, secrets }: TelegramPlace, clock: Clock): ChatServer {
  const transport = createGotTransport({ baseUrls: [new URL(url).origin], maxConnections: 2 }, clock);
  let ownName: string | null = null;

  async function ask(method: string, json: object, more: { deadlineMs?: DurationMs; signal?: AbortSignal } = {}) {
    const place = { form: 'telegram', url: `${url}/${method}`, token: null, secrets } as const;
    const request = { method: 'POST', url: place.url, headers: HEADERS, body: JSON.stringify(json) } as const;
    const result = await transport.send({ ...request, deadlineMs: ATTEMPT_MS, ...more });
    return { result, sent: judged(result, place) };
  }

  async function receive(next: number | null, signal: AbortSignal): Promise<Received | Failed> {
    const name = ownName;
    const deadlineMs = POLL_SECONDS * SECOND + ATTEMPT_MS;
    const { result, sent } = await (name === null
      ? ask('getMe', {}, { signal })
      : ask('getUpdates', { ...WANTED, ...(next !== null && { offset: next }) }, { deadlineMs, signal }));
    if (sent.kind !== 'sent') return { retryAfterMs: null, ...sent, kind: 'failed' };
    const read = result.kind === 'response' ? (name === null ? nameIn(result) : updatesIn(result, name)) : null;
    if (read === null) return { kind: 'failed', because: 'The answer is not of the Bot API.', retryAfterMs: null };
    if (typeof read !== 'string') return read;
    ownName = read;
    return { kind: 'received', messages: [], next: null };
  }

  const confirm = async (next: number): Promise<SendResult> =>
    (await ask('getUpdates', { ...WANTED, timeout: 0, limit: 1, offset: next })).sent;

  const answer = async ({ text, replyTo, asksForReply }: ChatAnswer): Promise<SendResult> => {
    const json = {
      ...{ chat_id: chatId, text: cut(text, LONGEST_TEXT), link_preview_options: { is_disabled: true } },
      ...(replyTo !== null && { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } }),
      ...(asksForReply && { reply_markup: { force_reply: true, selective: true } }),
    };
    return (await ask('sendMessage', json)).sent;
  };

  return { chat: chatId, receive, confirm, answer };
}

type Response = Extract<HttpResult, { readonly kind: 'response' }>;

const meSchema = z.object({ result: z.object({ username: z.string() }) });

/** The bot's name, without `@`. Null if the answer has none. */
function nameIn({ body }: Response): string | null {
  const read = readJson(body);
  const me = read.ok ? meSchema.safeParse(read.value) : null;
  return me?.success ? me.data.result.username : null;
}

const updatesSchema = z.object({
  result: z.array(z.object({ update_id: z.int(), message: z.unknown().optional() })),
});
const messageSchema = z.object({
  message_id: z.int(),
  date: z.int(),
  chat: z.object({ id: z.int() }),
  from: z
    .object({ id: z.int(), is_bot: z.boolean(), first_name: z.string(), username: z.string().optional() })
    .optional(),
  /** Of a message in the name of a group or channel, whose `from` is a stand-in. */
  sender_chat: z.unknown().optional(),
  text: z.string().default(''),
});

/**
 * An empty answer ends with the cursor null: all is confirmed, and after a quiet week the server may number its next
 * message lower. Null if the answer is malformed.
 */
function updatesIn({ body, headers, receivedAt }: Response, name: string): Received | null {
  const read = readJson(body);
  const updates = read.ok ? updatesSchema.safeParse(read.value) : null;
  if (!updates?.success) return null;
  const { result } = updates.data;
  const aheadMs = (Date.parse(headers.date ?? '') || receivedAt) - receivedAt;
  const messages = result.flatMap(({ update_id: id, message }): ChatMessage[] => {
    const found = messageSchema.safeParse(message);
    if (!found.success) return [];
    const { message_id: replyId, date, chat, from, sender_chat: inTheNameOf, text } = found.data;
    const isPerson = from !== undefined && !from.is_bot && inTheNameOf === undefined;
    const author = isPerson ? { id: from.id, name: from.username ?? from.first_name } : null;
    // Dates are whole seconds: at the latest then.
    const sentAt = (date + 1) * SECOND - aheadMs;
    return [{ id, chat: String(chat.id), replyId, sentAt, author, text: withoutName(text, name) }];
  });
  const next = result.length === 0 ? null : Math.max(...result.map(({ update_id }) => update_id)) + 1;
  return { kind: 'received', messages, next };
}

/** `/status@our_bot` is `/status`; a command for another bot keeps its name. */
const withoutName = (text: string, name: string): string =>
  text.replace(/^(\/\w+)@(\w+)/, (whole, command: string, to: string) =>
    to.toLowerCase() === name.toLowerCase() ? command : whole,
  );
