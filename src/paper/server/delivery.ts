// Carries out over the real socket what `deliveryOf` chose: late, twice, cut, dripping, reset or never.
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { assertNever } from '../../domain/invariant.ts';
import type { AnswerFlow, Delivery, SentAnswer } from '../delivery/delivery.ts';
import type { PaperResponse } from '../wire/messages.ts';
import type { Waits } from './shell.ts';

/** What is needed to carry out a delivery. */
interface Carriage {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly waits: Waits;
  /** Gives one copy of the request to the exchange. */
  respond(): Promise<PaperResponse>;
  /** For answers that the exchange never gave. */
  date(): string;
}

type Socket = FastifyRequest['raw']['socket'];

/** Bytes that leave together must have left before the reset: it takes along what still waits in this machine. */
const RESET_AFTER_MS = 20;
const CHUNK_BYTES = 65_536;

/** Resolves when the last byte was given away, or the connection or the server has ended. Never rejects. */
export async function carry(plan: Delivery, carriage: Carriage): Promise<void> {
  carriage.reply.hijack();
  const { raw: response } = carriage.reply;
  response.on('error', () => response.destroy());
  try {
    if (!(await carriage.waits.wait(plan.beforeMs))) return;
    const given = await process(plan, carriage);
    if (given === 'closing' || !(await carriage.waits.wait(plan.afterMs))) return;
    await send(plan, given, carriage);
  } catch {
    // The other side is gone, or the bytes that were ordered are none that HTTP can carry.
    response.destroy();
  }
}

/** The answer to the first copy; `null` where none arrives. */
async function process(plan: Delivery, { waits, respond }: Carriage): Promise<PaperResponse | null | 'closing'> {
  if (plan.copies === 0) return null;
  // The second copy doesn't wait for the answer to the first, which may have to wait for the book.
  const first = respond();
  if (plan.copies === 1) return first;
  if (!(await waits.wait(plan.gapMs))) return 'closing';
  await respond();
  return first;
}

async function send({ answer }: Delivery, given: PaperResponse | null, carriage: Carriage): Promise<void> {
  const { raw: response } = carriage.reply;
  const { socket } = carriage.request.raw;
  await itsTurn(response, socket);
  if (answer.kind === 'none') {
    if (answer.end === 'reset') socket.resetAndDestroy();
    else socket.destroy();
    return;
  }
  const text = answer.body?.text ?? given?.body ?? '';
  const repeat = answer.body?.repeat ?? 1;
  const bytes = Buffer.from(text, 'utf8');
  writeHead(response, answer, { given, length: bytes.length * repeat, date: carriage.date() });
  if (repeat > 1) await writeRepeated(response, bytes, repeat);
  else await writeBody({ response, socket, bytes, waits: carriage.waits }, answer.flow);
}

/** Of several requests on one connection each is answered after the one before it, and so is what befalls it. */
function itsTurn(response: ServerResponse, socket: Socket): Promise<void> {
  if (response.socket !== null || socket.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('socket', done);
      socket.off('close', done);
      resolve();
    };
    response.on('socket', done);
    socket.on('close', done);
  });
}

interface Head {
  readonly given: PaperResponse | null;
  /** Bytes of the body as it was meant to be. */
  readonly length: number;
  readonly date: string;
}

/** An answer that the exchange did not give carries a date and a type, and nothing else of the exchange. */
function writeHead(response: ServerResponse, answer: SentAnswer, { given, length, date }: Head): void {
  const ofExchange = answer.status === null && given !== null;
  const headers: Record<string, string> = ofExchange
    ? { ...given.headers }
    : { 'content-type': 'application/json; charset=utf-8', date };
  if (answer.framing === 'content-length') headers['content-length'] = String(length);
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value === null) delete headers[name.toLowerCase()];
    else headers[name.toLowerCase()] = value;
  }
  response.sendDate = false;
  if (answer.framing === 'until-close') {
    response.removeHeader('transfer-encoding');
    headers.connection = 'close';
  }
  // A wrong length leaves a connection on which nothing can follow.
  if (answer.framing === 'content-length' && headers['content-length'] !== String(length)) headers.connection = 'close';
  response.writeHead(answer.status ?? given?.status ?? 200, headers);
}

async function writeRepeated(response: ServerResponse, bytes: Buffer, repeat: number): Promise<void> {
  const perChunk = Math.max(1, Math.floor(CHUNK_BYTES / Math.max(1, bytes.length)));
  const chunk = Buffer.concat(Array<Buffer>(Math.min(perChunk, repeat)).fill(bytes));
  for (let left = repeat; left > 0 && !response.destroyed; left -= perChunk) {
    const part = left < perChunk ? chunk.subarray(0, left * bytes.length) : chunk;
    if (!response.write(part)) await hasRoom(response);
  }
  response.end();
}

function hasRoom(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

interface Writing {
  readonly response: ServerResponse;
  readonly socket: Socket;
  readonly bytes: Buffer;
  readonly waits: Waits;
}

async function writeBody(writing: Writing, flow: AnswerFlow): Promise<void> {
  const { response, bytes, waits } = writing;
  switch (flow.kind) {
    case 'whole':
      response.end(bytes);
      return;
    case 'cut':
      return cut(writing, flow);
    case 'drip':
      response.flushHeaders();
      for (let from = 0; from < bytes.length; from += flow.bytes) {
        if (response.destroyed || !(await waits.wait(flow.everyMs))) return;
        response.write(bytes.subarray(from, from + flow.bytes));
      }
      response.end();
      return;
    default:
      return assertNever(flow);
  }
}

async function cut(writing: Writing, flow: Extract<AnswerFlow, { kind: 'cut' }>): Promise<void> {
  const { response, socket, bytes, waits } = writing;
  const part = bytes.subarray(0, flow.atByte);
  response.flushHeaders();
  if (part.length > 0) await new Promise((resolve) => response.write(part, resolve));
  if (flow.ending === 'hold') return;
  if (flow.ending === 'close') {
    socket.end();
    return;
  }
  await waits.wait(RESET_AFTER_MS);
  socket.resetAndDestroy();
}
