// The peer of P1 and P2: the npm package nodejs-order-book on our stream.
import { OrderBook, Side } from 'nodejs-order-book';
import type { Contestant } from './measure.ts';
import { FillChecksum, type Operation, type OrderStream } from './order-stream.ts';

export function peerBook({ opening, operations }: OrderStream): Contestant {
  // Its ids are text: made beforehand, so that making them is not held against it.
  const last = [...opening, ...operations].reduce((most, { order }) => Math.max(most, order), 0);
  const ids = Array.from({ length: last + 1 }, (_, order) => String(order));
  return {
    name: 'nodejs-order-book (peer)',
    prepare: () => {
      const book = new OrderBook();
      const checksum = new FillChecksum();
      replayOnPeer(book, { operations: opening, ids, checksum });
      return () => {
        replayOnPeer(book, { operations, ids, checksum });
        return checksum.value();
      };
    },
  };
}

interface PeerReplay {
  readonly operations: readonly Operation[];
  readonly ids: readonly string[];
  readonly checksum: FillChecksum;
}

function replayOnPeer(book: OrderBook, { operations, ids, checksum }: PeerReplay): void {
  for (const { kind, order, side, price, quantity } of operations) {
    const id = ids[order] ?? '';
    if (kind === 'cancel') {
      book.cancel(id);
      continue;
    }
    const result = book.limit({ id, side: side === 'buy' ? Side.BUY : Side.SELL, size: quantity, price });
    if (result.done.length === 0 && result.partial === null) continue;
    for (const maker of result.done) {
      if (maker.id !== id) checksum.add(order, Number(maker.id), maker.size);
    }
    const { partial } = result;
    if (partial !== null && partial.id !== id) checksum.add(order, Number(partial.id), result.partialQuantityProcessed);
  }
}
