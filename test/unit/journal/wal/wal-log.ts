// A write-ahead log written by hand, as https://www.sqlite.org/fileformat2.html §4 has it.

export const HEADER = 32;
export const FRAME_HEADER = 24;
export const PAGE = 512;
export const FRAME = FRAME_HEADER + PAGE;
const SALTS = [0x01234567, 0x89abcdef] as const;

/** Each number is a transaction of so many frames. */
export function walOf(transactions: readonly number[], endian: 'big' | 'little'): Uint8Array {
  const header = words([endian === 'big' ? 0x377f0683 : 0x377f0682, 3_007_000, PAGE, 0, ...SALTS]);
  let sum: readonly [number, number] = checksum(header, [0, 0], endian);
  const parts = [header, words(sum)];
  let number = 0;
  for (const frames of transactions) {
    for (let frame = 1; frame <= frames; frame += 1) {
      number += 1;
      const head = words([number, frame === frames ? number : 0]);
      const page = new Uint8Array(PAGE).map((_, at) => (at * 7 + number * 31) % 256);
      sum = checksum(page, checksum(head, sum, endian), endian);
      parts.push(head, words(SALTS), words(sum), page);
    }
  }
  return new Uint8Array(Buffer.concat(parts));
}

function words(numbers: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number, index * 4);
  return bytes;
}

function checksum(
  bytes: Uint8Array,
  [first, second]: readonly [number, number],
  endian: 'big' | 'little',
): [number, number] {
  const buffer = Buffer.from(bytes);
  const read = (at: number): number => (endian === 'big' ? buffer.readUInt32BE(at) : buffer.readUInt32LE(at));
  let [a, b] = [first, second];
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + read(at) + b) % 2 ** 32;
    b = (b + read(at + 4) + a) % 2 ** 32;
  }
  return [a, b];
}

/** A bit of a byte is another. */
export function damaged(log: Uint8Array, at: number): Uint8Array {
  return log.with(at, (log[at] ?? 0) ^ 0x40);
}
