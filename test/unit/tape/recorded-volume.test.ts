// One account of a recording: each row is played or left out for one reason, and what is lost of the volume is said.
import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Decimal, decimal } from '../../../src/domain/decimal.ts';
import { loadTape, recordingWarnings } from '../../../src/tape/load-tape.ts';
import type { Tape } from '../../../src/tape/types.ts';
import { BOOK_HEADER, BTC_USDT, bookLine, NOON, TRADES_HEADER, tapeFolder } from './tape-files.ts';

const folder = tapeFolder();
afterAll(() => folder.remove());

const row = fc.record({
  id: fc.constantFrom('', '0', '1', '2', '3', '4', '5', '6'),
  side: fc.constantFrom('buy', 'sell', 'buy', 'sell', 'unknown'),
  price: fc.constantFrom('100', '100.0', '100.02', '0.01', '151', '20000000'),
  amount: fc.constantFrom('0', '0.0004', '0.0015', '1', '1.000', '1.0009', '3e-3', '12345678.9'),
});
/** Some rows are there twice. */
const rows = fc
  .array(fc.tuple(row, fc.boolean()), { minLength: 1, maxLength: 12, size: 'max' })
  .map((drawn) => drawn.flatMap(([one, isTwice]) => (isTwice ? [one, one] : [one])));
const asks = fc.constantFrom('100.01', '100.05', '', '400');

const sum = (amounts: readonly Decimal[]): Decimal => amounts.reduce((total, amount) => total.add(amount), decimal(0));

function volumeOn(tape: Tape): Decimal {
  const played = Array.from({ length: tape.length }, (_, index) => tape.row(index));
  return sum(played.map((one) => (one.kind === 'trade' ? BTC_USDT.lotSize.mul(one.quantityLots) : decimal(0))));
}

test('what was recorded is what is played and what is left out, row by row and lot by lot', async () => {
  const account = fc.asyncProperty(rows, fc.array(asks, { maxLength: 4 }), async (recorded, books) => {
    const lines = recorded.map(
      ({ id, side, price, amount }) => `x,BTCUSDT,${NOON + 5},${NOON + 5},${id},${side},${price},${amount}`,
    );
    const bookLines = books.map((ask, nth) => bookLine(nth, ask, ask && '1', '99.99', '1', '', '', '', ''));
    const loaded = await loadTape({
      trades: [folder.write('trades.csv', [TRADES_HEADER, ...lines])],
      books: [folder.write('books.csv', [BOOK_HEADER, ...bookLines])],
      instrument: BTC_USDT,
      maxBookSilenceMs: 5_000,
      maxTradeSilenceMs: 5_000,
      maxBackwardMs: 0,
      recordedSymbol: null,
    });
    const { tape, trades, far, playedVolume } = loaded;
    const { played, duplicates, unknownSides, droppedQuantities } = trades;
    expect(trades.rows).toBe(recorded.length);
    expect(trades.rows).toBe(played + duplicates + unknownSides + droppedQuantities + far.trade);
    expect(played).toBe(tape.length - loaded.books.played);
    expect(trades.volume).toEqual(sum(recorded.map(({ amount }) => decimal(amount))));
    expect(playedVolume).toEqual(volumeOn(tape));
    const lost = trades.volume.sub(playedVolume);
    const said = recordingWarnings(loaded, null, null).find((words) => words.includes('is not played as recorded'));
    const words = `${lost.toFixed()} of ${trades.volume.toFixed()} BTC traded (left out)`;
    expect(said?.includes(words) ?? false).toBe(!lost.isZero());
  });
  await fc.assert(account, { numRuns: 200 });
});
