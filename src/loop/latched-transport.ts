// The last check before a create leaves: the kill latch and any other ban are read at the very moment when the request
// is handed to the network (S9, F99). A process that was frozen between its decision and this line sees here what
// changed meanwhile.
import type { Clock } from '../ports/clock.ts';
import type { HttpRequest, Transport } from '../ports/transport.ts';
import { ENDPOINTS } from '../venue/endpoints.ts';

/**
 * `forbids` returns why no create may leave now, or null. A forbidden create comes back as not sent: no byte has left.
 */
export function latchedTransport(inner: Transport, forbids: () => string | null, clock: Clock): Transport {
  return {
    send: (request) => {
      const why = isCreate(request) ? forbids() : null;
      if (why === null) return inner.send(request);
      const now = clock.now();
      const fault = { sent: false, reason: 'aborted', detail: why } as const;
      return Promise.resolve({ kind: 'fault', fault, sentAt: now, receivedAt: now });
    },
    close: () => inner.close(),
  };
}

const isCreate = ({ method, url }: HttpRequest): boolean =>
  method === ENDPOINTS.create.method && new URL(url).pathname.endsWith(ENDPOINTS.create.path);
