// What a command asks outside the loop, over bare sockets: a request is stamped when it leaves, not when it is wanted.
import { expect, test } from '@jest/globals';
import { openVenueSession } from '../../src/bot/keys/venue-session.ts';
import { loadSettings } from '../../src/bot/settings/settings.ts';
import { Secret } from '../../src/client/wire/secret.ts';
import { startRawServer } from './client-raw-server.ts';

test('a signed request that waits for its turn is as young as one that does not (order-truth §3)', async () => {
  const ages: number[] = [];
  const server = await startRawServer({
    onRequest: (socket, { text }) => {
      ages.push(Date.now() - Number(/timestamp=(\d+)/.exec(text)?.[1]));
      const head = `HTTP/1.1 200 OK\r\nDate: ${new Date().toUTCString()}\r\nContent-Type: application/json`;
      socket.write(`${head}\r\nContent-Length: 2\r\n\r\n[]`);
    },
  });
  const settings = await loadSettings(['config/paper.yaml']);
  const { venue, lanes } = settings;
  const slow = { ...lanes, private: { ...lanes.private, requestsPerSecond: 0.5 } };
  const keys = { key: new Secret('key-of-a-test'), secret: new Secret('secret') };
  const session = openVenueSession({ ...settings, venue: { ...venue, baseUrl: server.url }, lanes: slow }, keys);
  const asked = () => session.ask({ kind: 'wallet', stamp: session.stamp() });
  const outcomes = [await asked(), await asked()].map(({ outcome }) => outcome.kind);
  session.close();
  await server.close();
  expect(outcomes).toEqual(['read', 'read']);
  // `Date` is floored to the second, and so the estimate of the clock is off by half of one at the most.
  expect(Math.max(...ages)).toBeLessThan(1_000);
});
