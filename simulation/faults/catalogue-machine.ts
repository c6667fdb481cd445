// The catalogue of faults (order-truth §7): time, process, disk, rate limits and operator.
import { MINUTE } from '../../src/domain/time.ts';
import { elsewhere, group, SOMETIMES, simulated } from './catalogue-row.ts';
import type { FaultSpec } from './fault-kinds.ts';

export const MACHINE_FAULTS: readonly FaultSpec[] = [
  ...group('time', [
    simulated('F83', 'constant skew ±{0.5,2,4,6,61} s', { via: 'clock', fault: 'skew' }, { magnitude: [100, 61000] }),
    simulated('F84', 'drift ±200 ppm for days', { via: 'clock', fault: 'drift' }, { magnitude: [1, 200] }),
    simulated('F85', 'NTP step −10 s / +10 s / −1 h', { via: 'clock', fault: 'step' }, { magnitude: [0.5, 3] }),
    simulated('F86', 'suspend 30 min then resume', { via: 'clock', fault: 'suspend' }, { magnitude: [0.3, 2] }),
    simulated(
      'F87',
      'event-loop stall 1–60 s between sign and send',
      { via: 'clock', fault: 'stall' },
      { magnitude: [1, 20], partly: 'the whole machine stands still at any moment' },
    ),
    simulated(
      'F88',
      'Date missing / CDN clock 20 s off / frozen',
      { via: 'answer', fault: 'no-date', on: 'any' },
      {
        magnitude: SOMETIMES,
        partly: 'frozen for half an hour at the most; hours off for a minute',
      },
    ),
    simulated(
      'F89',
      'timers fire late/early/coalesced',
      { via: 'clock', fault: 'late-timers' },
      { magnitude: [2, 60], partly: 'late' },
    ),
  ]),
  ...group('process', [
    simulated(
      'F90',
      'SIGKILL at *each* step: before INTENT; after append before fsync; after fsync before send; after send ' +
        'before ACK; after ACK before fsync; in checkpoint; in rotation',
      { via: 'crash', fault: 'crash' },
      { magnitude: [1, 20], partly: 'between append and fsync by F91' },
    ),
    simulated(
      'F91',
      'power loss: unsynced writes lost / reordered / torn at byte k',
      { via: 'crash', fault: 'storage-loss' },
      { magnitude: [1, 10] },
    ),
    elsewhere(
      'F92',
      'ENOSPC / file-size limit',
      'test/process/journal-create.slow.test.ts, test/process/journal-syscalls.slow.test.ts, ' +
        'test/process/journal-kill.slow.test.ts.',
    ),
    simulated(
      'F93',
      'EIO on write; fsync EIO once then success',
      { via: 'crash', fault: 'write-error' },
      { magnitude: [0.5, 4] },
    ),
    simulated(
      'F94',
      'tail garbage; bit flip mid-file; zeroed sector',
      { via: 'crash', fault: 'damaged-journal' },
      { magnitude: [0.5, 2], partly: 'a flipped bit; tails by F91' },
    ),
    elsewhere(
      'F95',
      'journal deleted / replaced / chmod / moved during run',
      'test/process/journal-file.test.ts, test/process/faults.slow.test.ts.',
    ),
    elsewhere(
      'F96',
      "restored from yesterday's backup",
      'test/process/journal-folder.test.ts, test/process/stale-journal.slow.test.ts, ' +
        'test/process/backup-restore.slow.test.ts',
    ),
    elsewhere(
      'F97',
      'second instance, same host',
      'test/process/journal-kill.slow.test.ts, test/process/check-start.slow.test.ts.',
    ),
    elsewhere('F98', 'second instance, other host, same key', 'test/process/two-bots.slow.test.ts.'),
    elsewhere(
      'F99',
      'SIGSTOP 5 min, then SIGCONT (zombie writer after watchdog acted)',
      'For seconds, beyond its time to live: test/process/watchdog.slow.test.ts.',
    ),
    elsewhere('F100', 'SIGTERM during in-flight create', 'test/process/stop-in-flight.slow.test.ts.'),
    elsewhere('F101', 'OOM / unhandledRejection / stack overflow', 'test/process/unexpected-errors.slow.test.ts.'),
    elsewhere(
      'F102',
      'older binary opens newer journal; config schema changed',
      'test/process/journal-folder.test.ts.',
    ),
    elsewhere('F103', 'journal time ahead of now', 'test/process/journal-folder.test.ts.'),
    elsewhere('F104', 'watchdog dead / false positive / acts while bot alive', 'test/process/watchdog.slow.test.ts.'),
  ]),
  ...group('rate-limit', [
    simulated(
      'F105',
      'X-RateLimit-* absent / Remaining 0 / Reset past / ms instead of s',
      { via: 'answer', fault: 'odd-rate-headers', on: 'any' },
      { magnitude: SOMETIMES },
    ),
    simulated(
      'F106',
      "another tool burns the same key's budget; hidden limit halves",
      { via: 'timed', fault: 'half-limit', longestMs: 10 * MINUTE },
      { magnitude: [0.5, 4] },
    ),
    simulated(
      'F107',
      'escalating bans (429 → 418 for minutes)',
      { via: 'timed', fault: 'banned', longestMs: 5 * MINUTE },
      { magnitude: [0.5, 4], partly: '418' },
    ),
    elsewhere(
      'F108',
      'config fat-finger: size×100, negative spread, wrong symbol, min>max',
      'test/process/check-start.slow.test.ts; each mistake: test/unit/bot/settings.test.ts.',
    ),
    simulated(
      'F109',
      'kill pressed during reconcile / twice / while maintenance',
      { via: 'operator', fault: 'kill' },
      { magnitude: [0.5, 2], partly: 'at any moment' },
    ),
    elsewhere(
      'F110',
      'dashboard: bad Host, bad Origin, no token, GET with side effect, replayed command',
      'Over a real socket: test/unit/bot/web-server.test.ts, test/unit/bot/web-sign-in.test.ts.',
    ),
    elsewhere('F111', 'two operators send opposite commands', 'test/process/opposite-commands.slow.test.ts.'),
  ]),
];
