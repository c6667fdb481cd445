// The last defence of the secrets inside the client: a venue, or what stands before it, may echo the request in its
// answer.
import type { HttpResult } from '../../ports/transport.ts';

const MASK = '[secret]';

/** The result without any of the secrets in its body, so that no message, reason or row made from it can carry one. */
export function scrubbed(result: HttpResult, secrets: readonly string[]): HttpResult {
  if (result.kind === 'fault' || !secrets.some((secret) => result.body.includes(secret))) return result;
  const body = secrets.reduce((left, secret) => left.replaceAll(secret, MASK), result.body);
  return { ...result, body };
}
