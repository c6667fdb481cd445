// Real servers on loopback that accept a channel's messages: HTTP and SMTP.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { freePort } from '../../../process/free-port.ts';

export interface Posted {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
  /** By the clock of the process. */
  readonly at: number;
}

export interface Answer {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const open: { close(): Promise<void> }[] = [];

/** For `afterEach`. */
export async function closeServers(): Promise<void> {
  for (const server of open.splice(0)) await server.close();
}

export class HttpReceiver {
  /** Messages answered with 2xx. */
  readonly taken: Posted[] = [];
  readonly asked: Posted[] = [];
  answer: Answer | 'none' = { status: 200, body: 'ok' };
  #port = 0;
  #server: Server | null = null;

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** On the same port again after the first start. */
  async start(): Promise<void> {
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => {
        text += chunk.toString('utf8');
      });
      request.on('end', () => {
        const { url: path = '', headers } = request;
        const posted = { path, headers, body: JSON.parse(text), at: performance.now() };
        this.asked.push(posted);
        if (this.answer === 'none') return;
        const { status, body = '', headers: own = {} } = this.answer;
        if (status < 300) this.taken.push(posted);
        response.writeHead(status, own).end(body);
      });
    });
    // Not chosen by the system at start: while this one is stopped, a parallel test could get it.
    if (this.#port === 0) this.#port = await freePort();
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#server = server;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  close(): Promise<void> {
    return this.stop();
  }

  /** Texts of our own format, in the order of their arrival. */
  texts(field: 'text' | 'title' | 'id' | 'op' = 'text'): string[] {
    return this.taken.map(({ body }) => String((body as Record<string, unknown>)[field]));
  }
}

export async function httpReceiver(): Promise<HttpReceiver> {
  const receiver = new HttpReceiver();
  await receiver.start();
  open.push(receiver);
  return receiver;
}

export interface Mail {
  readonly to: readonly string[];
  readonly user: string | null;
  readonly raw: string;
}

export interface MailReceiver {
  readonly port: number;
  readonly mails: readonly Mail[];
  close(): Promise<void>;
}

/** `login`: the only accepted name and password; without it no login is needed. */
export async function mailReceiver(
  login?: { readonly user: string; readonly password: string },
  unknownRecipients: readonly string[] = [],
): Promise<MailReceiver> {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    authOptional: login === undefined,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onAuth: ({ username, password }, _session, callback) => {
      const isGood = username === login?.user && password === login?.password;
      callback(
        isGood ? null : new Error('Invalid username or password'),
        isGood ? { user: username ?? '' } : undefined,
      );
    },
    onRcptTo: ({ address }, _session, callback) =>
      callback(unknownRecipients.includes(address) ? new Error('No such user.') : null),
    onData: (stream, session, callback) => {
      let raw = '';
      stream.on('data', (chunk: Buffer) => {
        raw += chunk.toString('utf8');
      });
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        mails.push({ to, user: session.user === undefined ? null : String(session.user), raw });
        callback();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const receiver = {
    port: (server.server.address() as AddressInfo).port,
    mails,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
  open.push(receiver);
  return receiver;
}
