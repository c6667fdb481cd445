// The loading process of the exchange benchmark: signed creates as ready bytes over bare sockets, so that the load costs
// little. Every second order takes the one before it: the book stays small, and half of the creates settle a trade.
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

const DISTINCT = 512;
let ready: Buffer[] = [];

function requestBytes({ now, apiKey, secret }: LoadOrder, index: number): Buffer {
  const action = index % 2 === 0 ? 'BUY' : 'SELL';
  const price = String(5_000 + ((index >> 1) % 100));
  const fields = { symbol: 'BTC/INR', action, type: 'LIMIT', price, quantity: '0.1' };
  const body = JSON.stringify(fields);
  const signed = `timestamp=${now}action=${action}&price=${price}&quantity=0.1&symbol=BTC/INR&type=LIMIT`;
  const signature = createHmac('sha256', secret).update(signed).digest('hex');
  const target = `/api/v1/spot/order/create?timestamp=${now}&signature=${signature}`;
  const headers = `host: 127.0.0.1\r\nx-exchange-apikey: ${apiKey}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
  return Buffer.from(`POST ${target} HTTP/1.1\r\n${headers}\r\n\r\n${body}`);
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
      done(text.startsWith('HTTP/1.1 200') && text.includes('"order_id"'));
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
