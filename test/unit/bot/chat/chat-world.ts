// A bot's chat against a server on loopback, with a clock that a test sets ahead: an hour passes at once.
import { expect } from '@jest/globals';
import type { LogEvent } from '../../../../src/bot/base/log.ts';
import { startChat } from '../../../../src/bot/chat/chat.ts';
import { telegramChat } from '../../../../src/bot/notify/senders/telegram-chat.ts';
import type { BotStatus } from '../../../../src/bot/status/bot-status.ts';
import type { SteerAnswer, SteerRequest } from '../../../../src/bot/steer/command.ts';
import { realClock } from '../../../../src/ports/clock.ts';
import { statusFixture } from '../../../browser/status-fixture.ts';
import { until } from '../../../process/bot-process.ts';
import { BotApi, CHAT, TOKEN } from './bot-api.ts';

const open: ChatWorld[] = [];

export async function chatWorld(): Promise<ChatWorld> {
  const world = new ChatWorld();
  open.push(world);
  await world.api.start();
  await world.begin();
  return world;
}

/** For `afterEach`. */
export async function endWorlds(): Promise<void> {
  for (const world of open.splice(0)) {
    await world.end();
    await world.api.stop();
  }
}

export class ChatWorld {
  readonly api = new BotApi();
  /** Commands that the bot performed. */
  readonly steered: SteerRequest[] = [];
  readonly logged: LogEvent[] = [];
  readonly counted: string[] = [];
  readonly left: string[] = [];
  status: () => BotStatus = statusFixture;
  steerAnswer: SteerAnswer = { done: ['Done.'] };
  aheadMs = 0;
  #chat: ReturnType<typeof startChat> | null = null;

  constructor() {
    this.api.now = () => this.now();
  }

  now(): number {
    return realClock.now() + this.aheadMs;
  }

  /** A process of the bot begins to read; resolves once it has. */
  async begin(): Promise<void> {
    const polls = this.api.offsets.length;
    const clock = { ...realClock, now: () => this.now() };
    const place = { url: `${this.api.url}/bot${TOKEN}`, chatId: CHAT, secrets: [TOKEN] };
    this.#chat = startChat({
      server: telegramChat(place, clock),
      bot: 'live-1',
      status: () => this.status(),
      steer: async (request) => {
        this.steered.push(request);
        return this.steerAnswer;
      },
      log: { logEvent: (event) => void this.logged.push(event), scrub: (text) => text },
      count: (from) => void this.counted.push(from),
      leave: (text) => void this.left.push(text),
      clock,
      pace: { betweenMs: 5, firstPauseMs: 5, longestPauseMs: 20 },
    });
    await until('it polls', () => this.api.offsets.length > polls);
  }

  async end(): Promise<void> {
    await this.#chat?.end(300);
  }

  texts(): string[] {
    return this.api.sent.map(({ text }) => text);
  }

  /** Says it, and resolves with the answer. */
  async ask(text: string, more: object = {}): Promise<string> {
    const before = this.api.sent.length;
    this.api.say(text, more);
    await until(`${text} is answered`, () => this.api.sent.length > before);
    return this.texts()[before] ?? '';
  }

  /** Asks for a change, and resolves with its code. */
  async code(text: string, more: object = {}): Promise<string> {
    const answer = await this.ask(text, more);
    expect(answer).toContain('Nothing is done yet. To do it, reply ');
    return /reply (\d{6}) until/.exec(answer)?.[1] ?? '';
  }
}
