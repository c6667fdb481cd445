// The loading process of the exchange benchmark: signed order entry as ready bytes over bare sockets, so that the load
// costs little. Of ten requests eight are creates that rest, one is a create that takes, one cancels the symbol's
// orders.
import { createHmac } from 'node:crypto';
import net from 'node:net';

export interface LoadOrder {
  readonly port: number;
  readonly count: number;
  readonly inFlight: number;
  /** What the requests are stamped with. */
  readonly now: number;
  readonly apiKey: string;
  readonly secret: string;
}

export interface LoadDone {
  readonly succeeded: number;
}

const DISTINCT = 1_000;
let ready: Buffer[] = [];

function requestBytes(order: LoadOrder, index: number): Buffer {
  const [path, body] = contentOf(index);
  const fields = Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1));
  const signed = `timestamp=${order.now}${fields.map(([name, value]) => `${name}=${value}`).join('&')}`;
  const signature = createHmac('sha256', order.secret).update(signed).digest('hex');
  const text = JSON.stringify(body);
  const head = [
    `POST ${path}?timestamp=${order.now}&signature=${signature} HTTP/1.1`,
    'host: 127.0.0.1',
    `x-exchange-apikey: ${order.apiKey}`,
    'content-type: application/json',
    `content-length: ${text.length}`,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${text}`);
}

/** Bids from 4,900 to 4,999.5, asks from 5,000.5 to 5,100, and takers that reach the best of the other side. */
function contentOf(index: number): [path: string, body: Record<string, string>] {
  const turn = index % 10;
  if (turn === 9) return ['/api/v1/spot/orders/cancel', { symbol: 'BTC/INR' }];
  const isBuy = (index >> 1) % 2 === 0;
  const distance = 0.5 + ((index * 7) % 200) / 2;
  const price = turn === 8 ? (isBuy ? 5_100 : 4_900) : isBuy ? 5_000 - distance : 5_000 + distance;
  const order = { action: isBuy ? 'BUY' : 'SELL', type: 'LIMIT', price: String(price), quantity: '0.1' };
  return ['/api/v1/spot/order/create', { symbol: 'BTC/INR', ...order }];
}

/** One connection with one request in flight, until `next` has no more. */
function connection(port: number, next: () => Buffer | null, done: (succeeded: boolean) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1').setNoDelay(true);
    let text = '';
    const sendNext = (): void => {
      const bytes = next();
      if (bytes === null) socket.end(() => resolve());
      else socket.write(bytes);
    };
    socket.on('connect', sendNext);
    socket.on('error', reject);
    socket.on('data', (part) => {
      text += part.toString('latin1');
      const headEnd = text.indexOf('\r\n\r\n');
      const length = /content-length: (\d+)/i.exec(text)?.[1];
      if (headEnd < 0 || length === undefined || text.length < headEnd + 4 + Number(length)) return;
      done(text.startsWith('HTTP/1.1 200'));
      text = '';
      sendNext();
    });
  });
}

async function load(order: LoadOrder): Promise<LoadDone> {
  if (ready.length === 0) ready = [...Array(DISTINCT).keys()].map((index) => requestBytes(order, index));
  let sent = 0;
  let succeeded = 0;
  const next = (): Buffer | null => {
    if (sent === order.count) return null;
    sent += 1;
    return ready[sent % DISTINCT] ?? null;
  };
  const count = (ok: boolean): void => {
    if (ok) succeeded += 1;
  };
  await Promise.all([...Array(order.inFlight)].map(() => connection(order.port, next, count)));
  return { succeeded };
}

process.on('message', (order: LoadOrder) => {
  void load(order).then((done) => process.send?.(done));
});
