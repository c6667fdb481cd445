// The catalogue of faults (order-truth §7): time, process, disk, rate limits and operator.
import { MINUTE } from '../../src/domain/time.ts';
import { elsewhere, group, SOMETIMES, simulated } from './catalogue-row.ts';
import type { FaultSpec } from './fault-kinds.ts';

export const MACHINE_FAULTS: readonly FaultSpec[] = [
  ...group('time', [
    simulated(
      'F83',
      ['constant skew ±{0.5,2,4,6,61} s', 'estimated from Date; creates stop if ε too large'],
      { via: 'clock', fault: 'skew' },
      { magnitude: [100, 61000] },
    ),
    simulated(
      'F84',
      ['drift ±200 ppm for days', 'estimate tracks'],
      { via: 'clock', fault: 'drift' },
      { magnitude: [1, 200] },
    ),
    simulated(
      'F85',
      ['NTP step −10 s / +10 s / −1 h', 'mono for durations; empty intersection → pause'],
      { via: 'clock', fault: 'step' },
      { magnitude: [0.5, 3] },
    ),
    simulated(
      'F86',
      ['suspend 30 min then resume', 'lease expired → must reconcile before create'],
      { via: 'clock', fault: 'suspend' },
      { magnitude: [0.3, 2] },
    ),
    simulated(
      'F87',
      ['event-loop stall 1–60 s between sign and send', 're-sign if age > W/4; drop if stale quote'],
      { via: 'clock', fault: 'stall' },
      { magnitude: [1, 20], partly: 'the whole machine stands still at any moment' },
    ),
    simulated(
      'F88',
      ['Date missing / CDN clock 20 s off / frozen', 'detected by disagreement with timestamp errors'],
      { via: 'answer', fault: 'no-date', on: 'any' },
      {
        magnitude: SOMETIMES,
        partly: 'frozen for half an hour at the most; hours off for a minute',
        excuses: ['dates'],
      },
    ),
    simulated(
      'F89',
      ['timers fire late/early/coalesced', 'no logic depends on exact tick'],
      { via: 'clock', fault: 'late-timers' },
      { magnitude: [2, 60], partly: 'late' },
    ),
  ]),
  ...group('process', [
    simulated(
      'F90',
      [
        'SIGKILL at *each* step: before INTENT; after append before fsync; after fsync before send; after send ' +
          'before ACK; after ACK before fsync; in checkpoint; in rotation',
        'P1,S1,R1 at every point (enumerate, do not sample)',
      ],
      { via: 'crash', fault: 'crash' },
      { magnitude: [1, 20], also: ['process'], partly: 'between append and fsync by F91' },
    ),
    simulated(
      'F91',
      ['power loss: unsynced writes lost / reordered / torn at byte k', 'P1,P2'],
      { via: 'crash', fault: 'storage-loss' },
      { magnitude: [1, 10], also: ['process'] },
    ),
    elsewhere(
      'F92',
      [
        'ENOSPC / file-size limit',
        'creates stop, cancels continue from memory, ' +
          'kill works (SQLite gave SQLITE_IOERR 778; committed rows stayed readable)',
      ],
      'process',
      'test/process/journal-create.slow.test.ts, test/process/journal-syscalls.slow.test.ts, ' +
        'test/process/journal-kill.slow.test.ts.',
    ),
    simulated(
      'F93',
      ['EIO on write; fsync EIO once then success', 'fail-stop; never retry fsync and go on (pages are marked clean)'],
      { via: 'crash', fault: 'write-error' },
      { magnitude: [0.5, 4], also: ['process'] },
    ),
    simulated(
      'F94',
      ['tail garbage; bit flip mid-file; zeroed sector', 'tail truncated; mid-file → refuse start'],
      { via: 'crash', fault: 'damaged-journal' },
      { magnitude: [0.5, 2], also: ['unit'], partly: 'a flipped bit; tails by F91' },
    ),
    elsewhere(
      'F95',
      ['journal deleted / replaced / chmod / moved during run', 'detected ≤ 1 cycle, HALT'],
      'process',
      'test/process/journal-file.test.ts, test/process/faults.slow.test.ts.',
    ),
    elsewhere(
      'F96',
      [
        "restored from yesterday's backup",
        "refuse: last known trade id on venue > ledger's & epoch check → rebuild path",
      ],
      'process',
      'test/process/journal-folder.test.ts, test/process/stale-journal.slow.test.ts, ' +
        'test/process/backup-restore.slow.test.ts',
    ),
    elsewhere(
      'F97',
      ['second instance, same host', 'refused by lock (WAL+locking_mode=EXCLUSIVE: child got "database is locked")'],
      'process',
      'test/process/journal-kill.slow.test.ts, test/process/refusals.slow.test.ts.',
    ),
    elsewhere(
      'F98',
      ['second instance, other host, same key', 'foreign-order detector within 1 cycle → both halt'],
      'process',
      'test/process/two-bots.slow.test.ts.',
    ),
    elsewhere(
      'F99',
      ['SIGSTOP 5 min, then SIGCONT (zombie writer after watchdog acted)', 'epoch/latch check before *every* create'],
      'process',
      'For seconds, beyond its time to live: test/process/watchdog.slow.test.ts.',
    ),
    elsewhere(
      'F100',
      ['SIGTERM during in-flight create', 'exit only after resolve or journaled UNKNOWN'],
      'process',
      'test/process/stop-in-flight.slow.test.ts.',
    ),
    elsewhere(
      'F101',
      ['OOM / unhandledRejection / stack overflow', 'crash-only: exit, watchdog, reconcile'],
      'process',
      'test/process/unexpected-errors.slow.test.ts.',
    ),
    elsewhere(
      'F102',
      ['older binary opens newer journal; config schema changed', 'refuse'],
      'process',
      'test/process/journal-folder.test.ts.',
    ),
    elsewhere(
      'F103',
      ['journal time ahead of now', 'refuse or pause'],
      'process',
      'test/process/journal-folder.test.ts.',
    ),
    elsewhere(
      'F104',
      ['watchdog dead / false positive / acts while bot alive', 'S9,S10; bot refuses to quote without live watchdog'],
      'process',
      'test/process/watchdog.slow.test.ts.',
    ),
  ]),
  ...group('rate-limit', [
    simulated(
      'F105',
      ['X-RateLimit-* absent / Remaining 0 / Reset past / ms instead of s', 'conservative AIMD; no division by zero'],
      { via: 'answer', fault: 'odd-rate-headers', on: 'any' },
      { magnitude: SOMETIMES },
    ),
    simulated(
      'F106',
      ["another tool burns the same key's budget; hidden limit halves", 'adapts from 429s; cancels keep reserve'],
      { via: 'timed', fault: 'half-limit', longestMs: 10 * MINUTE },
      { magnitude: [0.5, 4] },
    ),
    simulated(
      'F107',
      ['escalating bans (429 → 418 for minutes)', 'stop all but kill traffic'],
      { via: 'timed', fault: 'banned', longestMs: 5 * MINUTE },
      { magnitude: [0.5, 4], partly: '418' },
    ),
    elsewhere(
      'F108',
      [
        'config fat-finger: size×100, negative spread, wrong symbol, min>max',
        'hard reject, diff + confirm; never soft warning only (Citi)',
      ],
      'process',
      'test/process/refusals.slow.test.ts; each mistake: test/unit/bot/settings.test.ts.',
    ),
    simulated(
      'F109',
      ['kill pressed during reconcile / twice / while maintenance', 'idempotent, latched'],
      { via: 'operator', fault: 'kill' },
      { magnitude: [0.5, 2], also: ['process'], partly: 'at any moment' },
    ),
    elsewhere(
      'F110',
      ['dashboard: bad Host, bad Origin, no token, GET with side effect, replayed command', 'refused and logged'],
      'unit',
      'Over a real socket: test/unit/bot/web-server.test.ts, test/unit/bot/web-sign-in.test.ts.',
    ),
    elsewhere(
      'F111',
      ['two operators send opposite commands', 'serialised, last wins, audit trail'],
      'process',
      'test/process/opposite-commands.slow.test.ts.',
    ),
  ]),
];
