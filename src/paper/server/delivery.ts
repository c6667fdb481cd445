// Carries out a fault chosen by `deliveryOf` over the real socket: late, twice, cut, dripping, reset or never.
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DeliveryFault } from '../delivery/fault.ts';
import { type PaperResponse, refuseByCode, render } from '../wire/messages.ts';
import type { Quirks } from '../wire/quirks.ts';
import type { Waits } from './shell.ts';

type Fault = Exclude<DeliveryFault, { kind: 'code' }>;

/** Everything needed to carry out a fault. */
interface Carriage {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly waits: Waits;
  readonly quirks: Quirks;
  /** Passes one copy of the request to the exchange. */
  respond(): Promise<PaperResponse>;
  /** For answers that don't come from the exchange. */
  date(): string;
}

type Socket = FastifyRequest['raw']['socket'];

/** Bytes to be sent must have left before the reset, which discards those still waiting in this machine. */
const RESET_AFTER_MS = 20;
const CHUNK_BYTES = 65_536;

/** Resolves when the last byte was handed over, or the connection or the server has ended. Never rejects. */
export async function carry(ordered: DeliveryFault, carriage: Carriage): Promise<void> {
  carriage.reply.hijack();
  const fault = writtenOut(ordered, carriage.quirks);
  const { raw: response } = carriage.reply;
  response.on('error', () => response.destroy());
  try {
    if (!(await carriage.waits.wait(fault.beforeMs))) return;
    const given = await process(fault, carriage);
    if (given === 'closing' || !(await carriage.waits.wait(fault.afterMs))) return;
    await send(fault, given, carriage);
  } catch {
    // The other side is gone, or the ordered bytes are not valid in HTTP.
    response.destroy();
  }
}

const TOO_MANY_REQUESTS = 429;

/** A fault with a code becomes the exchange's answer for it; any other stays as it is. */
function writtenOut(fault: DeliveryFault, quirks: Quirks): Fault {
  if (fault.kind !== 'code') return fault;
  const { beforeMs, afterMs, processed } = fault;
  const answer = render(refuseByCode(fault.code), quirks);
  const headers = answer.status === TOO_MANY_REQUESTS ? { 'retry-after': '1' } : {};
  return { kind: 'status', ...answer, headers, beforeMs, afterMs, processed };
}

/** The answer to the first copy; `null` if none arrives. */
async function process(fault: Fault, { waits, respond }: Carriage): Promise<PaperResponse | null | 'closing'> {
  if ('processed' in fault && !fault.processed) return null;
  // The second copy doesn't wait for the first answer, which may have to wait for the book.
  const first = respond();
  if (fault.kind !== 'duplicate') return first;
  if (!(await waits.wait(fault.gapMs))) return 'closing';
  await respond();
  return first;
}

async function send(fault: Fault, given: PaperResponse | null, carriage: Carriage): Promise<void> {
  const { raw: response } = carriage.reply;
  const { socket } = carriage.request.raw;
  await itsTurn(response, socket);
  if (fault.kind === 'drop') return void socket.destroy();
  if (fault.kind === 'reset' && fault.atByte === null) return void socket.resetAndDestroy();
  const bytes = Buffer.from('body' in fault ? fault.body : (given?.body ?? ''), 'utf8');
  const repeat = 'repeat' in fault ? fault.repeat : 1;
  writeHead(response, fault, { given, length: bytes.length * repeat, date: carriage.date() });
  if (repeat > 1) await writeRepeated(response, bytes, repeat);
  else await writeBody({ response, socket, bytes, waits: carriage.waits }, fault);
}

/** Of several requests on one connection, each is answered, or hit by its fault, after the one before it. */
async function itsTurn(response: ServerResponse, socket: Socket): Promise<void> {
  if (response.socket === null && !socket.destroyed) await firstOf([response, 'socket'], [socket, 'close']);
}

/** Resolves at the first of these events. */
function firstOf(...events: readonly [emitter: ServerResponse | Socket, event: string][]): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      for (const [emitter, event] of events) emitter.off(event, done);
      resolve();
    };
    for (const [emitter, event] of events) emitter.on(event, done);
  });
}

interface Head {
  readonly given: PaperResponse | null;
  /** Bytes of the intended body. */
  readonly length: number;
  readonly date: string;
}

/** An answer not from the exchange has a date and a type, and no other header of the exchange. */
function writeHead(response: ServerResponse, fault: Fault, { given, length, date }: Head): void {
  const status = fault.kind === 'status' ? fault.status : null;
  const framing = 'framing' in fault ? fault.framing : 'content-length';
  const ofExchange = status === null && given !== null;
  const headers: Record<string, string> = ofExchange
    ? { ...given.headers }
    : { 'content-type': 'application/json; charset=utf-8', date };
  if (framing === 'content-length') headers['content-length'] = String(length);
  for (const [name, value] of Object.entries('headers' in fault ? fault.headers : {})) {
    if (value === null) delete headers[name.toLowerCase()];
    else headers[name.toLowerCase()] = value;
  }
  response.sendDate = false;
  if (framing === 'until-close') {
    response.removeHeader('transfer-encoding');
    headers.connection = 'close';
  }
  // After a wrong length nothing else can use the connection.
  if (framing === 'content-length' && headers['content-length'] !== String(length)) headers.connection = 'close';
  response.writeHead(status ?? given?.status ?? 200, headers);
}

async function writeRepeated(response: ServerResponse, bytes: Buffer, repeat: number): Promise<void> {
  const perChunk = Math.max(1, Math.floor(CHUNK_BYTES / Math.max(1, bytes.length)));
  const chunk = Buffer.concat(Array<Buffer>(Math.min(perChunk, repeat)).fill(bytes));
  for (let left = repeat; left > 0 && !response.destroyed; left -= perChunk) {
    const part = left < perChunk ? chunk.subarray(0, left * bytes.length) : chunk;
    if (!response.write(part)) await firstOf([response, 'drain'], [response, 'close']);
  }
  response.end();
}

interface Writing {
  readonly response: ServerResponse;
  readonly socket: Socket;
  readonly bytes: Buffer;
  readonly waits: Waits;
}

async function writeBody(writing: Writing, fault: Fault): Promise<void> {
  const { response, bytes, waits } = writing;
  if (fault.kind === 'reset') return cut(writing, fault.atByte ?? 0, 'reset');
  if (fault.kind === 'truncate') return cut(writing, fault.atByte, fault.ending);
  if (fault.kind !== 'drip') return void response.end(bytes);
  response.flushHeaders();
  for (let from = 0; from < bytes.length; from += fault.bytes) {
    if (response.destroyed || !(await waits.wait(fault.everyMs))) return;
    response.write(bytes.subarray(from, from + fault.bytes));
  }
  response.end();
}

async function cut(writing: Writing, atByte: number, ending: 'close' | 'hold' | 'reset'): Promise<void> {
  const { response, socket, bytes, waits } = writing;
  const part = bytes.subarray(0, atByte);
  response.flushHeaders();
  if (part.length > 0) await new Promise((resolve) => response.write(part, resolve));
  if (ending === 'hold') return;
  if (ending === 'close') return void socket.end();
  await waits.wait(RESET_AFTER_MS);
  socket.resetAndDestroy();
}
