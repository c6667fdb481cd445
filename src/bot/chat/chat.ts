// The chat of a running bot: answers each message before it reads the next, so that answers keep their order over an
// outage. Never in the way of trading: it has its own connections, and its failures end in the log.
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../../domain/time.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../base/log.ts';
import { framesOf } from '../base/system-error.ts';
import type { ChatAnswer, ChatMessage, ChatServer, Failed } from '../notify/senders/telegram-chat.ts';
import { type ChatCommandParts, chatCommands, headlineText } from './chat-commands.ts';

/** Shortest time between two polls, and pauses after failures: doubled up to the longest. */
const PACE = { betweenMs: SECOND / 4, firstPauseMs: SECOND, longestPauseMs: 30 * SECOND };
/** The server may ask for a longer pause, up to this. */
const LONGEST_NAMED_PAUSE_MS: DurationMs = 10 * MINUTE;
const NO_ANSWER = { text: 'The bot could not do it; its log says more.', asksForReply: false, endsBot: false };
const NEWS = { replyTo: null, asksForReply: false };
/** A single lost connection is no news. */
const FAILURES_TOLD = 3;
/** More than arrive before a message is too old to be obeyed. */
const MOST_SEEN = 5_000;

export interface ChatParts extends Omit<ChatCommandParts, 'newCode'> {
  readonly server: ChatServer;
  /** The bot's name among others in the chat. */
  readonly bot: string;
  readonly log: Pick<Log, 'logEvent' | 'scrub'>;
  readonly count: (from: 'chat' | 'stranger') => void;
  /** Gets an answer that could not be sent before the end, to be sent later. */
  readonly leave: (text: string) => void;
  readonly clock: Clock;
  readonly pace?: typeof PACE;
}

export type Chat = ReturnType<typeof startChat>;

/** Reads until `end`. */
export function startChat(parts: ChatParts) {
  const { server, log, clock, pace = PACE } = parts;
  const ending = new AbortController();
  const { signal } = ending;
  const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');
  const commands = chatCommands({ ...parts, newCode });
  const untilDone = persistent({ server, log, pace, signal });
  const isNew = newMessages(parts);
  const unsent: ChatAnswer[] = [];
  let endsBot = false;

  async function deliver(answer: Omit<ChatAnswer, 'text'>, text: string): Promise<void> {
    const whole = { ...answer, text: log.scrub(`${parts.bot}: ${text}`) };
    unsent.push(whole);
    // Not before an earlier one that could not be sent.
    const result = unsent[0] === whole ? await untilDone(() => server.answer(whole)) : null;
    if (result !== null) unsent.shift();
    if (result?.kind === 'refused')
      log.logEvent({ op: 'chat-failed', level: 'warn', message: `The chat refused an answer: ${result.because}` });
  }

  async function take(message: ChatMessage, readsSince: EpochMs): Promise<void> {
    const reply = await commands.reply(message, clock.now(), readsSince).catch((error: unknown) => {
      logError(log, error, 'A command of the chat failed.');
      return NO_ANSWER;
    });
    if (reply === null) return;
    endsBot ||= reply.endsBot;
    await deliver({ replyTo: message.replyId, asksForReply: reply.asksForReply }, reply.text);
  }

  async function listen(): Promise<void> {
    let readsSince: EpochMs | null = null;
    let next: number | null = null;
    while (!signal.aborted) {
      const received = await untilDone(() => server.receive(next, signal));
      readsSince ??= clock.now();
      for (const message of received?.messages ?? []) {
        if (signal.aborted) break;
        if (isNew(message)) await take(message, readsSince);
        next = message.id + 1;
      }
      if (signal.aborted) break;
      next = received?.next ?? null;
      await pause(pace.betweenMs, signal);
    }
    // Else the next start would answer that it does not obey what ended this one.
    const last = next;
    if (last !== null) await untilDone(() => server.confirm(last));
  }

  const isOver = (error: unknown): void =>
    logError(log, error, 'The chat ended with an error of the program: the bot takes no commands there.');
  const listening = listen().catch(isOver);
  const tellEnd = async (): Promise<void> => deliver(NEWS, headlineText(parts.status()));
  return {
    /**
     * Stops reading, and tells the chat how the bot ended if a command there ended it. What can't be sent within
     * `withinMs` is left for later.
     */
    async end(withinMs: DurationMs): Promise<void> {
      ending.abort();
      const told = endsBot ? tellEnd().catch(isOver) : undefined;
      await Promise.race([Promise.all([listening, told]), pause(withinMs)]);
      for (const { text } of unsent.splice(0)) parts.leave(text);
    },
  };
}

/** The error's message may hold private data. */
function logError(log: ChatParts['log'], error: unknown, message: string): void {
  log.logEvent({ op: 'chat-failed', level: 'error', message, frames: framesOf(error).map((each) => each.trim()) });
}

/** Whether a message is of the chat, and no repetition. Counts it; tells of the first stranger. */
function newMessages({ server, log, count }: ChatParts): (message: ChatMessage) => boolean {
  const seen = new Set<number>();
  let hasMetStranger = false;
  return ({ id, chat }) => {
    if (seen.has(id)) return false;
    for (const oldest of seen) if (seen.size >= MOST_SEEN) seen.delete(oldest);
    seen.add(id);
    count(chat === server.chat ? 'chat' : 'stranger');
    if (chat === server.chat || hasMetStranger) return chat === server.chat;
    hasMetStranger = true;
    const only = `Commands come from chat ${server.chat} alone; further ones are only counted, as chat_messages_total.`;
    log.logEvent({ op: 'chat-stranger', level: 'warn', message: `A message of chat ${chat} was ignored. ${only}` });
    return false;
  };
}

type Persistence = Pick<ChatParts, 'server' | 'log'> & { readonly pace: typeof PACE; readonly signal: AbortSignal };

/** Repeats an attempt, with growing pauses, until it does not fail; null if the bot ends before. */
function persistent({ server, log, pace, signal }: Persistence) {
  let failures = 0;
  return async function untilDone<Done>(attempt: () => Promise<Done | Failed>): Promise<Done | null> {
    for (;;) {
      const result = await attempt();
      if (!isFailed(result)) {
        if (failures >= FAILURES_TOLD) log.logEvent({ op: 'chat-failed', message: 'The chat works again.' });
        failures = 0;
        return result;
      }
      if (signal.aborted) return null;
      const own = Math.min(pace.longestPauseMs, pace.firstPauseMs * 2 ** Math.min(failures, 10));
      failures += 1;
      const message = `Chat ${server.chat} can't be read or answered: ${result.because} It is tried again.`;
      if (failures === FAILURES_TOLD) log.logEvent({ op: 'chat-failed', level: 'warn', message });
      await pause(Math.max(own, Math.min(result.retryAfterMs ?? 0, LONGEST_NAMED_PAUSE_MS)), signal);
    }
  };
}

const isFailed = (result: unknown): result is Failed => (result as { kind?: unknown }).kind === 'failed';

/** Ends early with the signal. */
const pause = (ms: DurationMs, signal?: AbortSignal): Promise<unknown> =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
