// Records of trades as a journal has them, newest first.
import type { JournalRecord } from '../../src/ports/journal-storage.ts';

/** Of two symbols in turn, four of each side; the last at `to`. */
export const tradeRecords = (many: number, to: number, everyMs: number): readonly JournalRecord[] =>
  Array.from({ length: many }, (_, ago) => {
    const [symbol, price] = ago % 2 === 0 ? ['BTC/INR', '5500120'] : ['ETH/INR', '300120.5'];
    const side = ago % 4 < 2 ? 'buy' : 'sell';
    const quantity = '0.001';
    const quoteQuantity = (Number(price) * Number(quantity)).toFixed(4);
    const fee = { commission: (Number(quoteQuantity) * 0.00472).toFixed(4), commissionAsset: 'INR', tds: '0' };
    const at = to - ago * everyMs;
    const named = { symbol, side, tradeId: String(many - ago), orderId: `o-${ago}`, liquidity: 'maker' };
    const fill = { ...named, price, quantity, quoteQuantity, ...fee, venueTime: at };
    const payload = JSON.stringify({ fill, intentId: `i-${ago}`, mid: null, at });
    return { seq: 10 * (many - ago), epoch: 1, wall: at + 500, mono: 0, type: 'fill', payload, prevHash: '', hash: '' };
  });
