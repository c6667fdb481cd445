import type { Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, test } from '@jest/globals';
import { selfSigned } from './client-certificate.ts';
import { answer, type RawScript, type RawServer } from './client-raw-server.ts';
import { DEADLINE_MS, OK_BODY, reset, transportKit } from './client-transport-kit.ts';

const { serverOf, transportOf, post } = transportKit();

describe('TLS', () => {
  const soon = new Date(Date.now() + 86_400_000);
  const past = new Date(Date.now() - 86_400_000);
  const secure = async (certificate: { key: string; cert: string }): Promise<RawServer> => {
    const listen: RawScript['listen'] = (onSocket) => {
      const server = createTlsServer(certificate, onSocket);
      server.on('tlsClientError', () => undefined);
      return server;
    };
    const onRequest: RawScript['onRequest'] = (socket) => socket.write(answer('200 OK', OK_BODY));
    const server = await serverOf({ listen, onRequest });
    return Object.assign(server, { url: server.url.replace('http:', 'https:') });
  };

  test('works where the authority is trusted', async () => {
    const certificate = selfSigned('localhost', soon);
    const server = await secure(certificate);
    const transport = transportOf(server.url, { certificateAuthority: certificate.cert });
    expect(await post(transport, server.url)).toMatchObject({ kind: 'response', status: 200 });
    expect(await post(transport, server.url)).toMatchObject({ kind: 'response', status: 200 });
    expect(server.deliveries.map((delivery) => delivery.connection)).toEqual([1, 1]);
  });

  test.each([
    ['a certificate that nobody vouches for', false, 'localhost', soon, false],
    ['the same with verification turned off by the environment', false, 'localhost', soon, true],
    ['an expired certificate', true, 'localhost', past, false],
    ['a certificate for another host', true, 'elsewhere.invalid', soon, false],
  ])('%s ends the request before a byte of it leaves', async (_name, trusted, host, notAfter, environment) => {
    const certificate = selfSigned(host, notAfter);
    const server = await secure(certificate);
    const url = server.url.replace('127.0.0.1', 'localhost');
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    if (environment) process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      const transport = transportOf(url, trusted ? { certificateAuthority: certificate.cert } : {});
      const fault = { sent: false, reason: 'tls' };
      expect(await post(transport, url)).toMatchObject({ kind: 'fault', fault });
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    }
    expect(server.bytesReceived).toBe(0);
  });

  test.each<[string, (socket: Socket) => void]>([
    ['a reset in the handshake', (socket) => socket.once('data', () => reset(socket))],
    ['an end in the handshake', (socket) => socket.once('data', () => socket.end())],
    [
      'a server that does not speak TLS',
      (socket) => socket.once('data', () => socket.write(answer('200 OK', OK_BODY))),
    ],
  ])('%s is a failure before a byte of the request leaves', async (_name, onConnection) => {
    const server = await serverOf({ onConnection });
    const url = server.url.replace('http:', 'https:');
    expect(await post(transportOf(url), url)).toMatchObject({
      kind: 'fault',
      fault: { sent: false, reason: 'tls' },
    });
  });

  test('a handshake that stalls ends at the deadline, before a byte of the request leaves', async () => {
    const server = await serverOf({});
    const url = server.url.replace('http:', 'https:');
    const fault = { sent: false, reason: 'connect-timeout' };
    expect(await post(transportOf(url), url, DEADLINE_MS)).toMatchObject({ kind: 'fault', fault });
  });
});
