// A faked disk with two images: the files as programs see them, and as they survive a power cut.
import { invariant } from '../../src/domain/invariant.ts';

/** Smallest piece that a disk writes atomically, unless it tears. In bytes. */
export const SECTOR = 512;

/** The error of an operation. `power`: the machine is off, and every later operation throws the same. */
export class DiskError extends Error {
  override readonly name = 'DiskError';
  readonly code: 'ENOSPC' | 'EIO' | 'power';

  constructor(code: DiskError['code']) {
    super(code === 'power' ? 'The power is gone.' : `The disk says ${code}.`);
    this.code = code;
  }
}

/** How many of the `length` bytes of an unsynced change reached the disk, from the first on. 0 loses it. */
export type Survival = (piece: { readonly file: string; readonly index: number; readonly length: number }) => number;

export interface FakedDisk {
  /** A program's view: synced or not. */
  read(file: string): Uint8Array;
  /** Beyond the end it leaves zeros between. Writes as much as fits, then throws `ENOSPC`. */
  write(file: string, at: number, bytes: Uint8Array): void;
  truncate(file: string, length: number): void;
  /** Written data is durable when it returns. */
  sync(file: string): void;
  /**
   * Like a file written and synced under another name, renamed, and its folder synced: the old one or the new one,
   * whole.
   */
  replace(file: string, bytes: Uint8Array): void;

  /** Capacity of all files together. */
  setCapacity(bytes: number): void;
  /**
   * The next write or sync fails once; null: none does. After a failed sync the unsynced bytes count as clean: no later
   * sync writes them.
   */
  failNext(operation: 'write' | 'sync' | null): void;
  /** The power goes off during the operation with this number; the first one after a start is 1. */
  cutPowerAt(operation: number): void;
  /** Operations since the last start. */
  operations(): number;
  /**
   * Restarts the machine, after a power cut at any time: each unsynced piece survives as `survival` says, in no order.
   */
  restart(survival: Survival): void;
  flipBit(file: string, bit: number): void;
  /** Sets the bytes of a sector of both images to zero. */
  zeroSector(file: string, sector: number): void;
  /** The durable image of all files: a backup. */
  backup(): ReadonlyMap<string, Uint8Array>;
  /** Replaces everything by a backup. */
  restore(files: ReadonlyMap<string, Uint8Array>): void;
}

type Change =
  | { readonly kind: 'write'; readonly at: number; readonly bytes: Uint8Array }
  | { readonly kind: 'truncate'; readonly length: number }
  | { readonly kind: 'replace'; readonly bytes: Uint8Array };

/**
 * Bytes that change in place, with room to grow behind them: an append must not copy the file. `bytes` is zero from
 * `length` on.
 */
interface Image {
  bytes: Uint8Array;
  length: number;
}

interface File {
  seen: Image;
  durable: Image;
  /** Not synced yet, oldest first. */
  unsynced: Change[];
}

/**
 * A new image never shares its bytes: both images of a file change independently. (`slice` of a Buffer would share
 * them.)
 */
const imageOf = (bytes: Uint8Array): Image => ({ bytes: new Uint8Array(bytes), length: bytes.length });
const contentOf = ({ bytes, length }: Image): Uint8Array => bytes.slice(0, length);
const emptyImage = (): Image => ({ bytes: new Uint8Array(0), length: 0 });

interface Disk {
  readonly files: Map<string, File>;
  /** In bytes. */
  capacity: number;
  failing: 'write' | 'sync' | null;
  /** Operations since the last start, and the one at which the power goes off. */
  count: number;
  powerAt: number;
}

export function createDisk(): FakedDisk {
  const disk: Disk = {
    files: new Map(),
    capacity: Number.POSITIVE_INFINITY,
    failing: null,
    count: 0,
    powerAt: Number.POSITIVE_INFINITY,
  };
  return {
    read: (name) => contentOf(fileOf(disk, name).seen),
    write: (name, at, bytes) => write(disk, name, { at, bytes }),
    truncate: (name, length) => {
      const { last } = begin(disk);
      change(fileOf(disk, name), { kind: 'truncate', length });
      finish(last);
    },
    sync: (name) => sync(disk, name),
    replace: (name, bytes) => replace(disk, name, bytes),
    setCapacity: (bytes) => {
      disk.capacity = bytes;
    },
    failNext: (operation) => {
      disk.failing = operation;
    },
    cutPowerAt: (operation) => {
      disk.powerAt = operation;
    },
    operations: () => disk.count,
    restart: (survival) => restart(disk, survival),
    flipBit(name, bit) {
      const at = Math.floor(bit / 8);
      const file = fileOf(disk, name);
      for (const { bytes, length } of [file.seen, file.durable])
        if (at < length) bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit % 8));
    },
    zeroSector(name, sector) {
      const { seen, durable } = fileOf(disk, name);
      for (const { bytes } of [seen, durable]) bytes.fill(0, sector * SECTOR, (sector + 1) * SECTOR);
    },
    backup: () => new Map([...disk.files].map(([name, { durable }]) => [name, contentOf(durable)])),
    restore(backup) {
      disk.files.clear();
      for (const [name, durable] of backup)
        disk.files.set(name, { seen: imageOf(durable), durable: imageOf(durable), unsynced: [] });
    },
  };
}

function write(disk: Disk, name: string, { at, bytes }: { readonly at: number; readonly bytes: Uint8Array }): void {
  const { last } = begin(disk);
  const file = fileOf(disk, name);
  if (fails(disk, 'write')) throw new DiskError('EIO');
  const fitting = bytes.slice(0, room(disk, file, at));
  change(file, { kind: 'write', at, bytes: fitting });
  finish(last);
  if (fitting.length < bytes.length) throw new DiskError('ENOSPC');
}

function sync(disk: Disk, name: string): void {
  const { last } = begin(disk);
  const file = fileOf(disk, name);
  finish(last);
  if (fails(disk, 'sync')) {
    file.unsynced = [];
    throw new DiskError('EIO');
  }
  for (const made of file.unsynced) apply(file.durable, made);
  file.unsynced = [];
}

function replace(disk: Disk, name: string, bytes: Uint8Array): void {
  const { last } = begin(disk);
  const file = fileOf(disk, name);
  if (fails(disk, 'write') || fails(disk, 'sync')) throw new DiskError('EIO');
  if (bytes.length > room(disk, file, file.seen.length)) throw new DiskError('ENOSPC');
  change(file, { kind: 'replace', bytes });
  finish(last);
  file.durable = imageOf(bytes);
  file.unsynced = [];
}

function restart(disk: Disk, survival: Survival): void {
  for (const [name, file] of disk.files) {
    const pieces = file.unsynced.flatMap(piecesOf);
    for (const [index, piece] of pieces.entries())
      survive(file.durable, piece, survival({ file: name, index, length: lengthOf(piece) }));
    file.seen = imageOf(contentOf(file.durable));
    file.unsynced = [];
  }
  disk.count = 0;
  disk.powerAt = Number.POSITIVE_INFINITY;
  disk.failing = null;
}

function fileOf(disk: Disk, name: string): File {
  const file = disk.files.get(name) ?? { seen: emptyImage(), durable: emptyImage(), unsynced: [] };
  disk.files.set(name, file);
  return file;
}

/** Counts an operation; throws when the power is off, and `last` is true when it goes off now. */
function begin(disk: Disk): { readonly last: boolean } {
  if (disk.count >= disk.powerAt) throw new DiskError('power');
  disk.count += 1;
  return { last: disk.count >= disk.powerAt };
}

function fails(disk: Disk, operation: 'write' | 'sync'): boolean {
  if (disk.failing !== operation) return false;
  disk.failing = null;
  return true;
}

function change(file: File, made: Change): void {
  apply(file.seen, made);
  file.unsynced.push(made);
}

/** Bytes that a write at this place may still add. */
function room(disk: Disk, file: File, at: number): number {
  const used = [...disk.files.values()].reduce((sum, { seen }) => sum + seen.length, 0);
  return Math.max(0, disk.capacity - used) + Math.max(0, file.seen.length - at);
}

function finish(last: boolean): void {
  if (last) throw new DiskError('power');
}

function apply(image: Image, made: Change): void {
  switch (made.kind) {
    case 'replace':
      image.bytes = new Uint8Array(made.bytes);
      image.length = made.bytes.length;
      return;
    case 'truncate':
      image.bytes.fill(0, Math.min(made.length, image.length));
      image.length = Math.min(made.length, image.length);
      return;
    default:
      reserve(image, made.at + made.bytes.length);
      image.bytes.set(made.bytes, made.at);
  }
}

/** Makes an image at least this long. Doubles its size, so that a growing file is copied seldom. */
function reserve(image: Image, length: number): void {
  if (length > image.bytes.length) {
    const larger = new Uint8Array(2 * length);
    larger.set(image.bytes);
    image.bytes = larger;
  }
  image.length = Math.max(image.length, length);
}

/** A write is split by sectors; a change of names or lengths only is one piece. */
function piecesOf(made: Change): Change[] {
  if (made.kind !== 'write') return [made];
  const pieces: Change[] = [];
  let from = 0;
  while (from < made.bytes.length) {
    const at = made.at + from;
    const length = Math.min(SECTOR - (at % SECTOR), made.bytes.length - from);
    pieces.push({ kind: 'write', at, bytes: made.bytes.slice(from, from + length) });
    from += length;
  }
  return pieces;
}

const lengthOf = (piece: Change): number => (piece.kind === 'write' ? piece.bytes.length : 1);

function survive(image: Image, piece: Change, bytes: number): void {
  invariant(bytes >= 0 && bytes <= lengthOf(piece), `A piece of ${lengthOf(piece)} bytes can't keep ${bytes}.`);
  if (bytes === 0) return;
  apply(image, piece.kind === 'write' ? { ...piece, bytes: piece.bytes.slice(0, bytes) } : piece);
}
