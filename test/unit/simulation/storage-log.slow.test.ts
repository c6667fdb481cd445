// The journal on a disk that loses, reorders, tears, flips and fails: what was acknowledged is there, nothing else is,
// and what is damaged is refused.
import { describe, expect, test } from '@jest/globals';
import { createDisk, type FakedDisk, SECTOR, type Survival } from '../../../simulation/machine/storage-disk.ts';
import { LOG_FILE, openLogStorage, SNAPSHOT_FILE } from '../../../simulation/machine/storage-log.ts';
import { JournalError, verify } from '../../../src/journal/chain.ts';
import type { UpkeepPace } from '../../../src/journal/upkeep.ts';
import { type Counting, openCounting, readCounting, type Sums } from '../journal/counting-journal.ts';

/** Small enough for every round to come within a few records. */
const PACE: UpkeepPace = { everyMs: 1e9, everyRecords: 9, keepRecords: 4, stepRecords: 50 };

const lost: Survival = () => 0;
const kept: Survival = ({ length }) => length;

const open = (disk: FakedDisk): Counting => openCounting(openLogStorage(disk), PACE);
const found = (disk: FakedDisk): Sums => readCounting(openLogStorage(disk)).state;

/** What one life was told is durable, and what it tried last. */
interface Life {
  acked: number;
  tried: number;
}

/** A bot's life: numbers 1, 2, 3 … in appends of one to three, and the upkeep between them. Ends when the disk does. */
function live(disk: FakedDisk, appends: number, known = 0): Life {
  const life: Life = { acked: known, tried: known };
  try {
    const { add, journal, state } = open(disk);
    life.acked = state.count;
    life.tried = state.count;
    for (let turn = 0; turn < appends; turn += 1) {
      const numbers = [1, 2, 3].slice(0, (turn % 3) + 1).map((n) => life.acked + n);
      life.tried = life.acked + numbers.length;
      add(numbers);
      life.acked = life.tried;
      journal.tend();
    }
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
  }
  return life;
}

/**
 * P1: the state is the fold of the acknowledged numbers, or of those and the whole of the append that was on its way.
 */
function expectKept(disk: FakedDisk, { acked, tried }: Life, what: unknown): void {
  const { count, sum } = found(disk);
  expect([what, [acked, tried].includes(count), sum]).toEqual([what, true, (count * (count + 1)) / 2]);
}

/**
 * Every way in which up to six pieces can each be there or not, and each torn at some bytes with the others there or
 * not.
 */
function* survivals(): Generator<[string, Survival]> {
  for (let mask = 0; mask < 64; mask += 1)
    yield [`pieces ${mask.toString(2)}`, ({ index, length }) => ((mask >> index) & 1 ? length : 0)];
  for (const others of [lost, kept])
    for (let torn = 0; torn < 6; torn += 1)
      for (const bytes of [1, 5, 60, 61, 200, 511])
        yield [
          `piece ${torn} torn at ${bytes}`,
          (piece) => (piece.index === torn ? Math.min(bytes, piece.length) : others(piece)),
        ];
}

describe('when the power is cut', () => {
  test(
    'during any operation, and whatever reached the disk, all that was acknowledged is there and ' + 'nothing else',
    () => {
      const whole = createDisk();
      live(whole, 14);
      const operations = whole.operations();
      expect(operations).toBeGreaterThan(30);
      let restarts = 0;
      for (let operation = 1; operation <= operations; operation += 1) {
        for (const [name, survival] of survivals()) {
          const disk = createDisk();
          disk.cutPowerAt(operation);
          const life = live(disk, 14);
          disk.restart(survival);
          expectKept(disk, life, [operation, name]);
          restarts += 1;
        }
      }
      expect(restarts).toBe(operations * 136);
    },
  );

  test('again and again, a life goes on where the last one ended, and its journal stays small', () => {
    const disk = createDisk();
    let before = 0;
    for (let life = 1; life <= 60; life += 1) {
      disk.cutPowerAt(6 + ((life * 7) % 23));
      const lived = live(disk, 20, before);
      disk.restart(({ index, length }) => ((index + life) % 3 === 0 ? 0 : (length * ((life % 4) + 1)) >> 2));
      expectKept(disk, lived, life);
      expect(found(disk).count).toBeGreaterThanOrEqual(before);
      before = found(disk).count;
      expect(disk.read(LOG_FILE).length).toBeLessThan(40_000);
    }
    expect(before).toBeGreaterThan(200);
  });

  test('while the remains of the last cut are taken away', () => {
    for (let operation = 1; operation <= 4; operation += 1) {
      for (const survival of [lost, kept]) {
        const disk = createDisk();
        disk.cutPowerAt(8);
        const life = live(disk, 9);
        disk.restart(({ length }) => Math.min(length, 100));
        disk.cutPowerAt(operation);
        try {
          open(disk);
        } catch {}
        disk.restart(survival);
        expectKept(disk, life, operation);
      }
    }
  });
});

/** A journal of some appends on a disk, all durable. */
function written(appends: number): FakedDisk {
  const disk = createDisk();
  const { add } = openCounting(openLogStorage(disk));
  for (let n = 1; n <= appends; n += 1) add([2 * n - 1, 2 * n]);
  return disk;
}

const verdict = (disk: FakedDisk): string => {
  try {
    return `whole to ${readCounting(openLogStorage(disk)).seq}`;
  } catch (error) {
    return error instanceof JournalError ? error.message : `unexpected ${error}`;
  }
};

describe('what is damaged on the disk', () => {
  test('by one flipped bit anywhere is refused with the number of a record of that append, the last one too', () => {
    const bits = written(3).read(LOG_FILE).length * 8;
    const image = written(3).backup();
    const disk = createDisk();
    for (let bit = 0; bit < bits; bit += 1) {
      disk.restore(image);
      disk.flipBit(LOG_FILE, bit);
      expect([bit, verdict(disk)]).toEqual([bit, expect.stringMatching(/^The journal is damaged\. Record [1-7] /)]);
    }
  });

  test('by a sector of zeros is refused, unless it can be the last append that was never synced', () => {
    const whole = written(12);
    const image = whole.backup();
    const sectors = Math.ceil(whole.read(LOG_FILE).length / SECTOR);
    const verdicts = Array.from({ length: sectors }, (_, sector) => {
      const disk = createDisk();
      disk.restore(image);
      disk.zeroSector(LOG_FILE, sector);
      return verdict(disk);
    });
    const dropped = verdicts.filter((said) => !said.startsWith('The journal is damaged.'));
    expect([...new Set(dropped)]).toEqual(['whole to 23']);
    expect(verdicts.slice(0, -3).every((said) => said.startsWith('The journal is damaged.'))).toBe(true);
  });

  test('behind the last record is dropped where no write ever reached it, and refused where one did', () => {
    const tail = (text: string): string => {
      const disk = written(2);
      const end = disk.read(LOG_FILE).length;
      disk.write(LOG_FILE, end, Buffer.from(text, 'latin1'));
      disk.sync(LOG_FILE);
      return verdict(disk);
    };
    expect(tail('\0'.repeat(700))).toBe('whole to 5');
    expect(tail('quote,00')).toBe('whole to 5');
    expect(tail('garbage, which no program of ours would write, longer than a header')).toContain('Record 6 can');
  });

  test('by a snapshot that was changed in any bit, or cut, is refused', () => {
    const whole = createDisk();
    live(whole, 12);
    const image = whole.backup();
    const bits = whole.read(SNAPSHOT_FILE).length * 8;
    expect(bits).toBeGreaterThan(200);
    const changed = (change: (disk: FakedDisk) => void): string => {
      const disk = createDisk();
      disk.restore(image);
      change(disk);
      return verdict(disk);
    };
    const refused = expect.stringMatching(/^The journal is damaged\. (The snapshot of record|Record 1 is missing)/);
    for (let bit = 0; bit < bits; bit += 1) {
      expect([bit, changed((disk) => disk.flipBit(SNAPSHOT_FILE, bit))]).toEqual([bit, refused]);
    }
    expect(changed((disk) => disk.zeroSector(SNAPSHOT_FILE, 0))).toEqual(refused);
    expect(changed((disk) => disk.truncate(SNAPSHOT_FILE, 10))).toEqual(refused);
  });

  test('by an old copy is a whole journal: only a witness can tell (F96)', () => {
    const disk = written(3);
    const yesterday = disk.backup();
    openCounting(openLogStorage(disk)).add([7]);
    disk.restore(yesterday);
    expect(verdict(disk)).toBe('whole to 7');
  });
});

describe('when the disk fails', () => {
  test('it is full: the append throws, the next one too, and what was acknowledged can be read (F92)', () => {
    for (const room of [0, 1, 60, 300, 700]) {
      const disk = createDisk();
      const { add } = open(disk);
      add([1, 2]);
      disk.setCapacity(disk.read(LOG_FILE).length + room);
      expect(() => add([3, 4, 5])).toThrow(expect.objectContaining({ kind: 'full' }));
      disk.setCapacity(1e9);
      expect(() => add([3])).toThrow('The journal is closed to writing since it failed');
      // The process ends, the machine goes on; then the power is cut as well.
      expect(found(disk).count).toBe(2);
      disk.restart(kept);
      expect(found(disk).count).toBe(2);
    }
  });

  test('a write fails once: the append throws and is never tried again (F93)', () => {
    const disk = createDisk();
    const { add } = open(disk);
    add([1]);
    disk.failNext('write');
    expect(() => add([2])).toThrow(expect.objectContaining({ kind: 'failed' }));
    expect(() => add([2])).toThrow('closed to writing');
    disk.restart(kept);
    expect(found(disk).count).toBe(1);
  });

  test('a sync fails once and then succeeds: nobody goes on, so nothing acknowledged is lost (F93, P3)', () => {
    const disk = createDisk();
    const { add } = open(disk);
    add([1]);
    disk.failNext('sync');
    expect(() => add([2])).toThrow(expect.objectContaining({ kind: 'failed' }));
    expect(() => add([3])).toThrow('closed to writing');
    disk.restart(kept);
    expect(found(disk).count).toBe(1);
  });

  test('a second sync that succeeds writes nothing: a start writes what it read again before it builds on it', () => {
    const disk = createDisk();
    const { add } = open(disk);
    add([1]);
    disk.failNext('sync');
    expect(() => add([2])).toThrow(JournalError);
    disk.sync(LOG_FILE);
    // The system still shows the record that the disk never got.
    openCounting(openLogStorage(disk)).add([3]);
    expect(found(disk)).toEqual({ count: 3, sum: 6 });
    disk.restart(kept);
    expect(found(disk)).toEqual({ count: 3, sum: 6 });
  });
});

describe('the faked disk itself', () => {
  test('shows a program what it wrote, and after a power cut what was synced', () => {
    const disk = createDisk();
    disk.write('f', 0, Buffer.from('one'));
    disk.sync('f');
    disk.write('f', 3, Buffer.from('two'));
    expect(Buffer.from(disk.read('f')).toString()).toBe('onetwo');
    disk.restart(lost);
    expect(Buffer.from(disk.read('f')).toString()).toBe('one');
  });

  test('keeps sectors without those before them: the gap is zeros', () => {
    const disk = createDisk();
    disk.write('f', 0, Buffer.alloc(3 * SECTOR, 'x'));
    disk.restart(({ index, length }) => (index === 2 ? length : 0));
    const text = Buffer.from(disk.read('f')).toString();
    expect(text).toBe('\0'.repeat(2 * SECTOR) + 'x'.repeat(SECTOR));
  });

  test('replaces a file by the old one or the new one, never by half of it', () => {
    for (const [survival, text] of [
      [lost, 'old'],
      [kept, 'new one'],
    ] as const) {
      const disk = createDisk();
      disk.replace('f', Buffer.from('old'));
      disk.cutPowerAt(2);
      expect(() => disk.replace('f', Buffer.from('new one'))).toThrow('The power is gone.');
      expect(() => disk.write('f', 0, Buffer.from('x'))).toThrow('The power is gone.');
      disk.restart(survival);
      expect(Buffer.from(disk.read('f')).toString()).toBe(text);
    }
  });

  test('verifies what the journal wrote on it', () => {
    expect(verify(openLogStorage(written(5)).read())).toMatchObject({ ok: true, value: { seq: 11 } });
  });
});
