// One POST of JSON, and what its answer means. Connections of its own: nothing of the exchange's waits for them.
import { createGotTransport } from '../../../client/transport/got-transport.ts';
import { masked } from '../../../client/wire/scrub.ts';
import { SECOND } from '../../../domain/time.ts';
import type { Message } from '../../../notify/message.ts';
import { realClock } from '../../../ports/real-clock.ts';
import type { HttpResult } from '../../../ports/transport.ts';
import { PROGRAM, VERSION } from '../../base/program.ts';
import type { HttpForm } from './http-forms.ts';
import { ATTEMPT_MS, type Sender, type Sent } from './sender.ts';

/** Nothing that answers says more. */
const MAX_ANSWER_BYTES = 64 * 1024;
const SHOWN_OF_ANSWER = 160;
/** It may be the message: too long, or badly formed. It may be the channel: a chat that has moved. */
const REFUSALS: readonly number[] = [400, 413, 422];

/** `secrets` are taken out of what came back. */
export function httpSender(form: HttpForm, origin: string, secrets: readonly string[]): Sender {
  const transport = createGotTransport(
    { baseUrls: [origin], allowsPlainHttp: true, maxConnections: 1, maxBodyBytes: MAX_ANSWER_BYTES },
    realClock,
  );
  return {
    send: async (message: Message) => {
      const { url, headers, body } = form(message);
      const own = { 'content-type': 'application/json', 'user-agent': `${PROGRAM}/${VERSION}`, connection: 'close' };
      const request = { method: 'POST', url, headers: { ...own, ...headers }, deadlineMs: ATTEMPT_MS } as const;
      return judged(await transport.send({ ...request, body: JSON.stringify(body) }), secrets);
    },
    close: () => transport.close(),
  };
}

function judged(result: HttpResult, secrets: readonly string[]): Sent {
  if (result.kind === 'fault') {
    const { status, reason } = result.fault;
    // What was answered is said by the status, however much comes behind it.
    if (reason === 'too-large' && status !== undefined)
      return judged({ ...result, kind: 'response', status, headers: result.headers ?? {}, body: '' }, secrets);
    const because = result.fault.detail;
    return { kind: 'failed', because, retryAfterMs: null, answer: because };
  }
  const { status, headers, body } = result;
  const words = wordsIn(body, secrets);
  const answer = `HTTP ${status}${words === '' ? '' : `: ${words}`}`;
  if (status >= 200 && status < 300 && !/^\s*\{\s*"ok"\s*:\s*false/.test(body)) return { kind: 'sent', answer };
  const because = /[.!?]$/.test(answer) ? answer : `${answer}.`;
  if (REFUSALS.includes(status)) return { kind: 'refused', because, answer };
  return { kind: 'failed', because, retryAfterMs: retryAfterOf(headers['retry-after'], body), answer };
}

/** The beginning of an answer, on one line, without what was secret in the request. */
function wordsIn(body: string, secrets: readonly string[]): string {
  const clean = masked(body, secrets);
  // A page of a gateway says nothing that its status does not.
  if (/^\s*</.test(clean)) return '';
  const line = clean
    .replace(/\s+/g, ' ')
    .replace(/[^\x20-\x7e]/g, '')
    .trim();
  return line.length > SHOWN_OF_ANSWER ? `${line.slice(0, SHOWN_OF_ANSWER)} …` : line;
}

/** In seconds, as a header, or as Telegram and Discord write it into their JSON. */
function retryAfterOf(header: string | undefined, body: string): number | null {
  const seconds = Number(header ?? /"retry_after"\s*:\s*([\d.]+)/.exec(body)?.[1]);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * SECOND : null;
}
