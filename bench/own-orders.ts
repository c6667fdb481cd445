// P12: what the file of own orders adds to a create. A create is two commits of the journal (intent, outcome); beside
// them it is one durable note before it leaves, and two that are only written.
import { writeOwnOrders } from '../src/bot/state-folder/own-orders-file.ts';
import { openSqliteJournal } from '../src/bot/state-folder/sqlite-journal.ts';
import { decimal } from '../src/domain/decimal.ts';
import { orderId } from '../src/domain/ids.ts';
import { openJournal } from '../src/journal/open-journal.ts';
import { noOrders } from '../src/watchdog/own-orders.ts';
import { type Folder, measureInFolder } from './folder.ts';
import type { BenchResult, Contestant, Measurement } from './measure.ts';

// Many short rounds: stalls of a shared disk fall into few of them, and the median sees none.
const CREATES = 50;
const ROUNDS = 101;
/** Live at a time. */
const RESTING = 8;
const START = 1_700_000_000_000;
const CLOCK = { now: () => START, monotonic: () => 0 };

export async function run(): Promise<BenchResult> {
  const measurements = await measureInFolder(ROUNDS, (folder) => [creates(folder, true), creates(folder, false)]);
  return { title: 'P12 file of own orders: creates made durable', lines: linesOf(measurements) };
}

function creates(folder: Folder, withFile: boolean): Contestant {
  return {
    name: withFile ? 'journal and own orders' : 'journal alone',
    prepare: () => {
      const file = folder.nextFile();
      const storage = openSqliteJournal(file);
      const opened = openJournal(storage, { clock: CLOCK, schema: 1, initial: () => null, reduce: () => null });
      if (!opened.ok) throw opened.error;
      const { journal } = opened.value;
      const own = withFile ? writeOwnOrders(`${file}.own`, noOrders(null), CLOCK) : null;
      folder.leave(() => {
        journal.close();
        own?.close();
      });
      return () => {
        for (let number = 0; number < CREATES; number += 1) {
          const intentId = `1-${number}`;
          const price = decimal(5_000_000 + number);
          const payload = { intentId, symbol: 'BTC/INR', side: 'buy', price: price.toFixed(), quantity: '0.00125' };
          journal.append([{ type: 'intent', payload }]);
          const sent = { symbol: 'BTC/INR', side: 'buy', price, quantity: decimal('0.00125') } as const;
          const create = { ...sent, timestamp: START + number, horizon: START + number + 14_000 };
          own?.note([{ kind: 'sent', intentId, create }], true);
          journal.append([{ type: 'create-outcome', payload: { intentId, orderId: `1-${number}-1` } }]);
          own?.note([{ kind: 'named', intentId, orderId: orderId(`1-${number}-1`) }], false);
          if (number >= RESTING) own?.note([{ kind: 'closed', intentId: `1-${number - RESTING}`, at: START }], false);
        }
        return journal.head().hash;
      };
    },
  };
}

/** Creates per second, the ratio to the journal alone, and what a create takes longer. */
function linesOf(measurements: readonly Measurement[]): string[] {
  const peer = measurements.at(-1)?.medianMs ?? Number.NaN;
  return measurements.map(({ name, medianMs, runsMs }) => {
    const rate = ((CREATES / medianMs) * 1_000).toFixed(0).padStart(6);
    const added = (((medianMs - peer) / CREATES) * 1_000).toFixed(0).padStart(4);
    const spread = `${Math.min(...runsMs).toFixed(0)}–${Math.max(...runsMs).toFixed(0)} ms`;
    return (
      `${name.padEnd(28)} ${rate} /s  ${(peer / medianMs).toFixed(2).padStart(5)} ×  +${added} µs a create  ` +
      `(${spread})`
    );
  });
}
