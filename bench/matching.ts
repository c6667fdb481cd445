// P1: the matching core without accounts, against the npm package nodejs-order-book on the same stream.
import { Book, bookOrder } from '../src/matching/book.ts';
import { type BenchResult, type Contestant, measureInTurn, ratioLines } from './measure.ts';
import { FillChecksum, type Operation, type OrderStream, orderStream } from './order-stream.ts';
import { peerBook } from './peer-book.ts';

const COUNT = 1_000_000;
const SEED = 20_250_101;

export async function run(): Promise<BenchResult> {
  const lines: string[] = [];
  for (const resting of [400, 4_000]) {
    const stream = orderStream(resting, COUNT, SEED);
    const contestants = [ours(stream), peerBook(stream)];
    const measurements = await measureInTurn({ contestants, rounds: 5, sameOutput: true });
    lines.push(`about ${resting} resting orders, ${stream.fills} fills, same fills in the same order:`);
    lines.push(...ratioLines(measurements, COUNT));
  }
  return { title: 'P1 matching core', lines };
}

function ours({ opening, operations }: OrderStream): Contestant {
  return {
    name: 'Book',
    prepare: () => {
      const book = new Book<null>();
      const checksum = new FillChecksum();
      replayOnBook(book, opening, checksum);
      return () => {
        replayOnBook(book, operations, checksum);
        return checksum.value();
      };
    },
  };
}

function replayOnBook(book: Book<null>, operations: readonly Operation[], checksum: FillChecksum): void {
  let taker = 0;
  const onFill = (maker: { readonly id: number }, quantity: number): void => checksum.add(taker, maker.id, quantity);
  for (const { kind, order: id, side, price, quantity } of operations) {
    if (kind === 'cancel') {
      const order = book.orders.get(id);
      if (order !== undefined) book.cancel(order);
    } else {
      taker = id;
      book.place(bookOrder({ id, side, price, quantity, info: null }), onFill);
    }
  }
}
