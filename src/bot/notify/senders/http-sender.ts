// One POST of JSON, and what its answer means. Connections of its own: nothing of the exchange's waits for them.
import { createGotTransport } from '../../../client/transport/got-transport.ts';
import { maskOf } from '../../../client/wire/secret.ts';
import { SECOND } from '../../../domain/time.ts';
import type { Message } from '../../../notify/message.ts';
import { realClock } from '../../../ports/clock.ts';
import type { HttpResult } from '../../../ports/transport.ts';
import { PROGRAM, VERSION } from '../../base/program.ts';
import type { ChannelSection } from '../../settings/notify/notify-section.ts';
import type { HttpForm } from './http-forms.ts';
import { ATTEMPT_MS, type Sender, type Sent } from './sender.ts';

/** Nothing that answers says more. */
const MAX_ANSWER_BYTES = 64 * 1024;
const SHOWN_OF_ANSWER = 160;
/** It may be the message: too long, or badly formed. It may be the channel: a chat that has moved. */
const REFUSALS: readonly number[] = [400, 413, 422];

interface Answer {
  readonly status: number;
  readonly body: string;
}

/**
 * Whether an answer of 2xx proves delivery. Each service answers in a form of its own; a login page, a proxy or a wrong
 * address answers 200, too.
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

export interface Answering {
  readonly form: HttpChannel['form'];
  readonly origin: string;
  /** The sender removes them from answers. */
  readonly secrets: readonly string[];
}

export function httpSender(post: HttpForm, answering: Answering): Sender {
  const transport = createGotTransport(
    { baseUrls: [answering.origin], allowsPlainHttp: true, maxConnections: 1, maxBodyBytes: MAX_ANSWER_BYTES },
    realClock,
  );
  return {
    send: async (message: Message) => {
      const { url, headers, body } = post(message);
      const own = { 'content-type': 'application/json', 'user-agent': `${PROGRAM}/${VERSION}`, connection: 'close' };
      const request = { method: 'POST', url, headers: { ...own, ...headers }, deadlineMs: ATTEMPT_MS } as const;
      return judged(await transport.send({ ...request, body: JSON.stringify(body) }), answering);
    },
    close: () => transport.close(),
  };
}

function judged(result: HttpResult, answering: Answering): Sent {
  if (result.kind === 'fault') {
    const { status, reason } = result.fault;
    // The status tells how the channel answered, however long the page behind it is.
    if (reason === 'too-large' && status !== undefined)
      return judged({ ...result, kind: 'response', status, headers: result.headers ?? {}, body: '<' }, answering);
    const because = result.fault.detail;
    return { kind: 'failed', because, retryAfterMs: null, answer: because };
  }
  const { status, headers, body } = result;
  const words = wordsIn(body, answering.secrets);
  const answer = `HTTP ${status}${words === '' ? '' : `: ${words}`}`;
  const is2xx = status >= 200 && status < 300;
  if (is2xx && IS_TAKEN[answering.form]({ status, body })) return { kind: 'sent', answer };
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

/** Null where the body is anything else. */
function jsonObject(body: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** The beginning of an answer, on one line, without what was secret in the request. */
function wordsIn(body: string, secrets: readonly string[]): string {
  const clean = maskOf(secrets)(body);
  // A page of a gateway says nothing that its status does not.
  if (isPage(clean)) return '';
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
