// Checks SQLite's write-ahead log before SQLite reads it: SQLite takes the first damaged frame for the end of the log
// and silently drops the rest, but only an incomplete last record may be dropped (P2).

// Layout as in https://www.sqlite.org/fileformat2.html §4: a header of 32 bytes, then frames of 24 bytes and a page.
const HEADER = 32;
const FRAME_HEADER = 24;
const MAGIC_LITTLE_ENDIAN = 0x377f0682;
const MAGIC_BIG_ENDIAN = 0x377f0683;
const SMALLEST_PAGE = 512;

type Checksum = readonly [number, number];

/**
 * The log's fault in a sentence, or `null`. A damaged frame is a torn last transaction, and no fault, unless frames of
 * a later transaction follow: that one began only after the damaged one was synced. This requires that the log is
 * emptied at each opening (`wal_checkpoint(TRUNCATE)`), so that no frames from before a crash remain behind the end.
 */
export function walFault(log: Uint8Array): string | null {
  if (log.length < HEADER + FRAME_HEADER + SMALLEST_PAGE) return null;
  const view = new DataView(log.buffer, log.byteOffset, log.byteLength);
  const magic = view.getUint32(0);
  const littleEndian = magic === MAGIC_LITTLE_ENDIAN;
  const start = checksum(view, { from: 0, to: 24, littleEndian, before: [0, 0] });
  // SQLite syncs the header before it writes the first frame.
  if ((!littleEndian && magic !== MAGIC_BIG_ENDIAN) || !isAt(view, 24, start))
    return 'Its header is damaged and frames follow.';
  const frames = framesOf(view, FRAME_HEADER + view.getUint32(8));
  const bad = firstBadFrame(view, { frames, littleEndian, start });
  // Trailing frames with other salts are from an earlier generation; among the valid ones they are damaged.
  const following = frames.slice(bad, frames.findLastIndex((at) => hasSalts(view, at)) + 1);
  const lastOfDamaged = following.find((at) => view.getUint32(at + 4) !== 0);
  const later = lastOfDamaged !== undefined && following.some((at) => at > lastOfDamaged);
  return later ? `Frame ${bad + 1} of ${frames.length} is damaged and later transactions follow it.` : null;
}

/** Offsets of the whole frames. */
function framesOf(view: DataView, frameLength: number): number[] {
  const offsets: number[] = [];
  for (let at = HEADER; at + frameLength <= view.byteLength; at += frameLength) offsets.push(at);
  return offsets;
}

/** Index of the first frame whose salts or running checksum are wrong; the number of frames when there is none. */
function firstBadFrame(
  view: DataView,
  { frames, littleEndian, start }: { frames: readonly number[]; littleEndian: boolean; start: Checksum },
): number {
  const pageSize = view.getUint32(8);
  let sum = start;
  for (const [index, at] of frames.entries()) {
    sum = checksum(view, { from: at, to: at + 8, littleEndian, before: sum });
    const page = at + FRAME_HEADER;
    sum = checksum(view, { from: page, to: page + pageSize, littleEndian, before: sum });
    if (!hasSalts(view, at) || !isAt(view, at + 16, sum)) return index;
  }
  return frames.length;
}

/** Frames of this generation of the log carry the salts of its header. */
const hasSalts = (view: DataView, frame: number): boolean =>
  view.getUint32(frame + 8) === view.getUint32(16) && view.getUint32(frame + 12) === view.getUint32(20);

const isAt = (view: DataView, at: number, [first, second]: Checksum): boolean =>
  view.getUint32(at) === first && view.getUint32(at + 4) === second;

function checksum(
  view: DataView,
  { from, to, littleEndian, before }: { from: number; to: number; littleEndian: boolean; before: Checksum },
): Checksum {
  let [first, second] = before;
  for (let at = from; at < to; at += 8) {
    first = (first + view.getUint32(at, littleEndian) + second) >>> 0;
    second = (second + view.getUint32(at + 4, littleEndian) + first) >>> 0;
  }
  return [first, second];
}
