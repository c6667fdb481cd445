// A server on loopback that speaks Telegram's Bot API as far as a bot in a chat meets it: getMe, getUpdates by long
// polling, where an offset confirms and a second poll ends the first with 409, and sendMessage.
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { freePort } from '../../../process/free-port.ts';

export const TOKEN = '4242:canary-chat-7d1f0b';
export const CHAT = '7001';
export const ASHA = { id: 7001, is_bot: false, first_name: 'Asha', username: 'asha' };
export const RAVI = { id: 7002, is_bot: false, first_name: 'रवि' };

interface Update {
  readonly update_id: number;
  readonly [field: string]: unknown;
}
type Method = 'getMe' | 'getUpdates' | 'sendMessage';
export interface Sent {
  readonly text: string;
  readonly chat_id: string;
  readonly reply_parameters?: { readonly message_id: number };
  readonly reply_markup?: object;
}
interface Poll {
  readonly response: ServerResponse;
  readonly limit: number;
}

export class BotApi {
  /** What it took of the bot, in order. */
  readonly sent: Sent[] = [];
  /** Offsets of all polls. */
  readonly offsets: (number | undefined)[] = [];
  /** Its clock. */
  now: () => number = Date.now;
  /** How a method fails now; null: it does not. */
  fails: (method: Method) => { readonly status: number; readonly description: string; readonly after?: number } | null =
    () => null;
  #updates: Update[] = [];
  readonly #confirmed: Update[] = [];
  #poll: Poll | null = null;
  #nextId = 1_000;
  #port = 0;
  #server: Server | null = null;

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** On the same port again after `stop`. */
  async start(): Promise<void> {
    if (this.#port === 0) this.#port = await freePort();
    this.#server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8');
      });
      request.on('end', () => this.#take(request.url ?? '', text === '' ? {} : JSON.parse(text), response));
    });
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    this.#poll = null;
    server?.closeAllConnections();
    if (server !== null) await new Promise((resolve) => server.close(resolve));
  }

  /** A message as a person sends it; `more` replaces fields of it. */
  say(text: string, more: object = {}, id = this.#nextId): void {
    const date = Math.floor(this.now() / 1_000);
    const chat = { id: Number(CHAT), type: 'private' };
    this.push({ message: { message_id: id + 1, date, chat, from: ASHA, text, ...more } }, id);
  }

  push(update: object, id = this.#nextId): void {
    this.#nextId = id + 1;
    this.#updates.push({ update_id: id, ...update });
    this.#answerPoll();
  }

  /** Its time is over, and there are no messages. */
  endPoll(): void {
    if (this.#poll !== null) this.#answer(this.#poll.response, []);
    this.#poll = null;
  }

  /** Shows everything again that was confirmed, as after a crash of the server. */
  replay(): void {
    this.#updates.unshift(...this.#confirmed.splice(0));
    this.#answerPoll();
  }

  #take(path: string, body: Record<string, unknown>, response: ServerResponse): void {
    const [, token, method] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? [];
    if (token !== TOKEN) return this.#refuse(response, { status: 401, description: 'Unauthorized' });
    const failure = this.fails(method as Method);
    if (failure !== null) return this.#refuse(response, failure);
    if (method === 'getMe') return this.#answer(response, { id: 4242, is_bot: true, username: 'Quote_bot' });
    if (method === 'getUpdates') return this.#getUpdates(body, response);
    const { text } = body;
    if (typeof text !== 'string' || text === '' || text.length > 4_096 || body.chat_id !== CHAT)
      return this.#refuse(response, { status: 400, description: 'Bad Request: message text is empty or too long' });
    this.sent.push(body as unknown as Sent);
    this.#answer(response, { message_id: this.#nextId });
  }

  #getUpdates(body: Record<string, unknown>, response: ServerResponse): void {
    const { offset, limit = 100, timeout = 0 } = body as { offset?: number; limit?: number; timeout?: number };
    this.offsets.push(offset);
    if (this.#poll !== null)
      this.#refuse(this.#poll.response, {
        status: 409,
        description: 'Conflict: terminated by other getUpdates request',
      });
    this.#confirmed.push(...this.#updates.filter(({ update_id: id }) => id < (offset ?? 0)));
    this.#updates = this.#updates.filter(({ update_id: id }) => id >= (offset ?? 0));
    const poll = { response, limit };
    this.#poll = poll;
    response.on('close', () => {
      if (this.#poll === poll) this.#poll = null;
    });
    this.#answerPoll();
    setTimeout(() => this.#poll === poll && this.endPoll(), timeout * 1_000).unref();
  }

  #answerPoll(): void {
    if (this.#poll === null || this.#updates.length === 0) return;
    const { response, limit } = this.#poll;
    this.#poll = null;
    this.#answer(response, this.#updates.slice(0, limit));
  }

  #answer(response: ServerResponse, result: unknown): void {
    this.#write(response, 200, { ok: true, result });
  }

  #refuse(response: ServerResponse, failure: { status: number; description: string; after?: number }): void {
    const { status, description, after } = failure;
    const parameters = after === undefined ? {} : { parameters: { retry_after: after } };
    this.#write(response, status, { ok: false, error_code: status, description, ...parameters });
  }

  #write(response: ServerResponse, status: number, json: object): void {
    const headers = { 'content-type': 'application/json', date: new Date(this.now()).toUTCString() };
    response.writeHead(status, headers).end(JSON.stringify(json));
  }
}
