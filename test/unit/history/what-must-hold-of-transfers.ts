// What must hold of every reading of transfers: each that happened is there as often as it happened.
import type { CryptoTransfer, FiatTransfer } from '../../../src/domain/transfer.ts';
import { cryptoName, fiatName } from '../../../src/history/lists.ts';
import type { TimesTarget } from '../../../src/history/state.ts';
import { cryptoOf, fiatOf, type PlayedTransfers, type TrueTransfer } from './play-transfers.ts';
import { LAG_BOUND, NOW } from './true-rows.ts';

type Row = CryptoTransfer | FiatTransfer;
const nameOf = (row: Row): string => ('asset' in row ? cryptoName(row) : fiatName(row));

/** Sentences about what is wrong; none where all is well. */
export function complaintsAboutTransfers(
  list: 'crypto' | 'fiat',
  played: PlayedTransfers<Row>,
  { target, truth }: { target: TimesTarget; truth: readonly TrueTransfer[] },
): string[] {
  const { outcome, rows, endedAt } = played;
  const rowOf = list === 'crypto' ? cryptoOf : fiatOf;
  const wanted = truth.filter((row) => row.time >= target.from && row.time <= (target.to ?? Number.POSITIVE_INFINITY));
  const got = Map.groupBy(rows, nameOf);
  const all = Map.groupBy(wanted, (row) => nameOf(rowOf(row, endedAt)));
  const complaints: string[] = [];
  if (outcome.rows !== rows.length) complaints.push(`${outcome.rows} rows are told, ${rows.length} came.`);
  for (const name of new Set([...got.keys(), ...all.keys()])) {
    const came = got.get(name) ?? [];
    const real = all.get(name) ?? [];
    const shown = real.filter((row) => row.shownAt <= endedAt);
    const promised = real.filter((row) => isPromised(row, played));
    if (came.length > shown.length) complaints.push(`${came.length} came of ${shown.length} ${name}.`);
    const settled = real.filter(({ time }) => time <= outcome.settledUntil);
    if (came.length < settled.length) complaints.push(`${came.length} came of ${settled.length} settled ${name}.`);
    if (came.length < promised.length) complaints.push(`${came.length} came of ${promised.length} ${name}.`);
    for (const status of ['success', 'failed', 'rejected']) {
      const final = shown.filter((row) => rowOf(row, endedAt).status === status);
      if (came.filter((row) => row.status === status).length > final.length)
        complaints.push(`Too many ${status} ${name}.`);
    }
  }
  const hashes = rows.flatMap((row) => ('asset' in row && row.transactionHash !== null ? [row.transactionHash] : []));
  if (new Set(hashes).size !== hashes.length) complaints.push('A hash came twice.');
  const pending = wanted.filter((row) => isPromised(row, played) && row.settledAt > endedAt);
  for (const { time } of pending) {
    if (outcome.settledUntil >= time) complaints.push(`A pending row of ${time - NOW} is said to be settled.`);
  }
  for (const { status, venueTime } of rows) {
    if (status === 'pending' && outcome.settledUntil >= venueTime)
      complaints.push(`A row of ${venueTime - NOW} came as pending, and is said to be settled.`);
  }
  return complaints;
}

function isPromised(row: TrueTransfer, { outcome }: PlayedTransfers<Row>): boolean {
  if (outcome.kind === 'failed') return false;
  const isThere = row.shownAt <= NOW || row.time <= NOW - LAG_BOUND;
  const isInGap = outcome.kind === 'gap' && outcome.gaps.some(({ from, to }) => row.time >= from && row.time <= to);
  return isThere && !isInGap && row.time <= outcome.to;
}
