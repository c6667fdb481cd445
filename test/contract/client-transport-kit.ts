// What the transport's tests share: servers and transports that close themselves, and a signed request with canaries in
// it.
import type { Socket } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, expect } from '@jest/globals';
import { createGotTransport, type GotTransportSettings } from '../../src/client/transport/got-transport.ts';
import { realClock } from '../../src/ports/clock.ts';
import type { HttpResult, Transport } from '../../src/ports/transport.ts';
import { type RawScript, type RawServer, startRawServer } from './client-raw-server.ts';

const CANARY_KEY = 'canary-key-5f1d';
const CANARY_SIGNATURE = 'c0ffee5ec2e7c0ffee5ec2e7';
export const OK_BODY = '{"msg":"ok"}';
const SIGNED = 'recvWindow=2500&timestamp=1700000000000';
export const SIGNED_PATH = `/api/v1/spot/order/create?${SIGNED}&signature=${CANARY_SIGNATURE}`;
/** For what is not to leave in time; what is to come has more. */
export const DEADLINE_MS = 1_000;
/** For an answer that is not to come in time: the request leaves before, also where the machine stands still. */
export const ANSWER_DEADLINE_MS = 2_500;
const PATIENCE_MS = 120_000;

export const reset = (socket: Socket): void => {
  socket.resetAndDestroy();
};

/** Call once per test file: what it starts is closed after each test. */
export function transportKit() {
  const closers: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  return {
    closing: (close: () => unknown): void => {
      closers.push(close);
    },
    serverOf: async (script: RawScript): Promise<RawServer> => {
      const server = await startRawServer(script);
      closers.push(() => server.close());
      return server;
    },
    transportOf: (url: string, more: Partial<GotTransportSettings> = {}): Transport => {
      const transport = createGotTransport({ baseUrls: [url], ...more }, realClock);
      closers.push(() => transport.close());
      return transport;
    },
    post,
    get,
  };
}

/** Sends a signed POST and checks that nothing secret comes out, whatever comes out. */
async function post(transport: Transport, url: string, deadlineMs = PATIENCE_MS): Promise<HttpResult> {
  const headers = { 'content-type': 'application/json', 'X-EXCHANGE-APIKEY': CANARY_KEY };
  const body = '{"symbol":"BTC/INR"}';
  const result = await transport.send({ method: 'POST', url: `${url}${SIGNED_PATH}`, headers, body, deadlineMs });
  const shown = inspect(result, { depth: 10, showHidden: true }) + JSON.stringify(result);
  expect(shown).not.toContain(CANARY_KEY);
  expect(shown).not.toContain(CANARY_SIGNATURE);
  expect(shown).not.toContain('/api/v1');
  return result;
}

async function get(transport: Transport, url: string, deadlineMs = PATIENCE_MS): Promise<HttpResult> {
  return transport.send({ method: 'GET', url: `${url}${SIGNED_PATH}`, headers: {}, body: null, deadlineMs });
}
