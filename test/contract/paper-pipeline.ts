// One connection on which many requests are written at once; their answers come back in the same order.
import net from 'node:net';

export interface PipedAnswer {
  readonly status: number;
  /** In small letters, as one text. */
  readonly head: string;
  readonly body: string;
}

interface Waiting {
  readonly wanted: number;
  readonly answers: PipedAnswer[];
  resolve(answers: readonly PipedAnswer[]): void;
  reject(error: Error): void;
}

const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/;

export class Pipeline {
  readonly #socket: net.Socket;
  #received: Buffer = Buffer.alloc(0);
  #waiting: Waiting | null = null;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#socket = net.connect(Number(port), hostname);
    this.#socket.on('data', (part) => this.#take(part));
    this.#socket.on('error', () => this.#fail('was reset'));
    this.#socket.on('close', () => this.#fail('was closed'));
  }

  /** Writes the requests, and gives as many answers. Rejects with how many came where the connection ends before. */
  send(requests: readonly Buffer[]): Promise<readonly PipedAnswer[]> {
    return new Promise((resolve, reject) => {
      this.#waiting = { wanted: requests.length, answers: [], resolve, reject };
      this.#socket.write(Buffer.concat(requests));
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(part: Buffer): void {
    this.#received = this.#received.length === 0 ? part : Buffer.concat([this.#received, part]);
    const waiting = this.#waiting;
    if (waiting === null) return;
    for (let answer = this.#next(); answer !== null; answer = this.#next()) waiting.answers.push(answer);
    if (waiting.answers.length < waiting.wanted) return;
    this.#waiting = null;
    waiting.resolve(waiting.answers);
  }

  #next(): PipedAnswer | null {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return null;
    const head = this.#received.toString('latin1', 0, end).toLowerCase();
    const bodyAt = end + 4;
    const bodyEnd = bodyAt + Number(CONTENT_LENGTH.exec(head)?.[1] ?? 0);
    if (this.#received.length < bodyEnd) return null;
    const body = this.#received.toString('utf8', bodyAt, bodyEnd);
    this.#received = this.#received.subarray(bodyEnd);
    return { status: Number(head.slice(9, 12)), head, body };
  }

  #fail(how: string): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.reject(new Error(`The connection ${how} after ${waiting.answers.length} of ${waiting.wanted} answers.`));
  }
}
