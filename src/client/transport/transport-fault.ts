// An HTTP library's error → our fault. Only the error's code survives: its message, cause and options hold the signed
// URL.
import type { Fault, FaultReason } from '../../venue/outcomes.ts';

/** Where a request had got to when it ended. */
export interface Journey {
  readonly secure: boolean;
  /** The TCP connection is open. */
  connected: boolean;
  /** A byte of the request can have left this machine. */
  sent: boolean;
  tooLarge: boolean;
  /** Status and headers of the answer, once they have come. */
  answered: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | null;
}

export interface EndedJourney extends Readonly<Journey> {
  /** The transport was closed meanwhile. */
  readonly closed: boolean;
}

const DNS_CODES = /^(?:EAI_[A-Z]+|ENOTFOUND|ENODATA|ESERVFAIL)$/;
const RESET_CODES =
  /^(?:ECONNRESET|EPIPE|ECONNABORTED|ERR_HTTP_CONTENT_LENGTH_MISMATCH|ERR_STREAM_PREMATURE_CLOSE|ERR_SOCKET_CLOSED)$/;
const PLAIN_CODE = /^[A-Z][A-Z0-9_]{1,60}$/;

/** The fault behind an error that got threw. */
export function faultOfError(error: unknown, journey: EndedJourney): Fault {
  const code = codeOf(error);
  const reason = reasonOf(code, journey);
  const when = journey.sent ? 'after bytes of the request may have left' : 'before any byte of the request left';
  const told = code === null ? '' : ` (${code})`;
  return { sent: journey.sent, reason, detail: `${SENTENCES[reason]}, ${when}${told}.` };
}

function reasonOf(code: string | null, journey: EndedJourney): FaultReason {
  if (journey.tooLarge) return 'too-large';
  if (journey.closed) return 'aborted';
  if (code === 'ETIMEDOUT') return journey.sent ? 'timeout' : 'connect-timeout';
  if (code !== null && DNS_CODES.test(code)) return 'dns';
  if (code === 'ECONNREFUSED') return 'refused';
  if (journey.secure && journey.connected && !journey.sent) return 'tls';
  return code !== null && RESET_CODES.test(code) ? 'reset' : 'other';
}

/** Codes are constants of Node and OpenSSL; anything of another form is not shown. */
function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' && PLAIN_CODE.test(error.code) ? error.code : null;
}

const SENTENCES: Readonly<Record<FaultReason, string>> = {
  dns: 'The host name was not resolved',
  refused: 'The connection was refused',
  'connect-timeout': 'The connection was not made in time',
  tls: 'The TLS handshake failed',
  aborted: 'The client was closed',
  timeout: 'The answer was not complete in time',
  reset: 'The connection ended before the answer was complete',
  status: 'The status is not one that was expected',
  redirect: 'The answer is a redirect',
  'content-type': 'The answer is of another type',
  'too-large': 'The answer is larger than allowed',
  'bad-json': 'The answer is not JSON',
  'bad-shape': 'The answer has another shape',
  other: 'The exchange of messages failed',
};
