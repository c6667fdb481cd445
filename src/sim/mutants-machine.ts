// Mutants of what the program stands on: journal, clock, lanes, sockets, the latch, the watchdog.
import { bySeed, byTest, type Mutant } from './mutant-row.ts';

export const MACHINE_MUTANTS: readonly Mutant[] = [
  bySeed(
    {
      id: 'm4',
      sentence: 'The intent becomes durable only after its create has left.',
      patches: [
        { file: 'src/loop/loop.ts', from: 'take(choice.effects);', to: 'setTimeout(() => take(choice.effects), 5);' },
      ],
    },
    { under: ['F90'], seed: 0, invariant: 'S2' },
  ),
  byTest(
    {
      id: 'm14',
      sentence: 'Durations are measured by the wall clock.',
      patches: [
        { file: 'src/client/lane.ts', from: 'startPace(clock.monotonic())', to: 'startPace(clock.now())' },
        { file: 'src/client/lane.ts', from: 'const now = clock.monotonic();', to: 'const now = clock.now();' },
        { file: 'src/client/lane.ts', from: 'now: clock.monotonic() }', to: 'now: clock.now() }' },
        { file: 'src/client/lane.ts', from: 'leftAt, clock.monotonic()', to: 'leftAt, clock.now()' },
        {
          file: 'src/client/lane.ts',
          from: 'pace.pausedUntil - clock.monotonic()',
          to: 'pace.pausedUntil - clock.now()',
        },
      ],
    },
    { harness: 'unit', file: 'test/unit/client/lane.test.ts', name: 'a wall clock that steps' },
  ),
  byTest(
    {
      id: 'm14b',
      sentence: "The program's own time follows a wall clock that is set.",
      patches: [
        {
          file: 'src/ports/real-clock.ts',
          from: 'Math.round(performance.timeOrigin + performance.now())',
          to: 'Date.now()',
        },
      ],
    },
    { harness: 'unit', file: 'test/unit/ports/real-clock.test.ts', name: 'a step of' },
  ),
  bySeed(
    {
      id: 'm15',
      sentence: 'Retry-After is ignored.',
      patches: [
        {
          file: 'src/client/lane-pace.ts',
          from: 'const wait = Math.max(named, untold);',
          to: 'const wait = Math.max(0 * named, 0.01 * untold);',
        },
      ],
    },
    { under: ['F18'], seed: 1, invariant: 'K6' },
  ),
  byTest(
    {
      id: 'm16',
      sentence: 'The kill latch is in memory only.',
      patches: [
        {
          file: 'src/bot/kill-latch.ts',
          from: 'const latchSchema = ',
          to: 'const inMemory = new Map<string, KillLatch>();\nconst latchSchema = ',
        },
        {
          file: 'src/bot/kill-latch.ts',
          from: 'const parsed = latchSchema',
          to: 'const kept = inMemory.get(file);\n    if (kept !== undefined) return kept;\n    const parsed = latchSchema',
        },
        {
          file: 'src/bot/kill-latch.ts',
          from: 'writeDurably(file, JSON.stringify(before === null ? { reason, at: isoTime(now), rearm } : { ...before, rearm }));',
          to: 'inMemory.set(file, { reason, at: new Date(now).toISOString(), rearm });',
        },
      ],
    },
    {
      harness: 'process',
      file: 'test/process/latch.test.ts',
      name: 'cancel-all F109: pressed twice at once while the bot is dead',
    },
  ),
  byTest(
    {
      id: 'm17',
      sentence: 'The watchdog cancels without fencing the bot off.',
      patches: [
        {
          file: 'src/watchdog/watch.ts',
          from: "{ kind: 'latch', reason:",
          to: "{ kind: 'look-at-bot', reason:",
        },
        {
          file: 'src/watchdog/watch-kill.ts',
          from: 'return kill.end === null ? still(state, now) : afterSight(state, input.bot, now);',
          to: 'return toClearing({ ...state, kill: { ...kill, isLatched: true, end: { termAt: now.mono, killedAt: null, isGone: true } } }, [], now);',
        },
      ],
    },
    {
      harness: 'process',
      file: 'test/process/watchdog.test.ts',
      name: 'a bot that stands still for longer than its time to live',
    },
  ),
  byTest(
    {
      id: 'm17b',
      sentence: 'The watchdog sets the latch, and cancels before the bot is seen to be gone.',
      patches: [
        {
          file: 'src/watchdog/watch-kill.ts',
          from: "return {\n    ...still(next, now),\n    effects: [told, { kind: 'signal', signal: 'SIGTERM' }, { kind: 'look-at-bot' }],\n  };",
          to: "return toClearing(next, [told, { kind: 'signal', signal: 'SIGTERM' }], now);",
        },
      ],
    },
    { harness: 'unit', file: 'test/unit/watchdog/watch.test.ts', name: 'a bot that falls silent is latched, ended' },
  ),
  bySeed(
    {
      id: 'm18',
      sentence: 'An error of the disk is swallowed.',
      patches: [
        {
          file: 'src/loop/loop.ts',
          from: 'writeEvents(journal, effects.events);',
          to: 'try { writeEvents(journal, effects.events); } catch {}',
        },
      ],
    },
    { under: ['F93'], seed: 1, invariant: 'P3' },
  ),
  byTest(
    {
      id: 'm19',
      sentence: 'The repair of the tail cuts damage in the middle of the file as well.',
      patches: [
        {
          file: 'src/journal/open-journal.ts',
          from: 'if (refusal) return fail(refusal);',
          to: "if (refusal?.kind === 'damaged') break;\n    if (refusal) return fail(refusal);",
        },
      ],
    },
    { harness: 'unit', file: 'test/unit/journal/open-journal.test.ts', name: 'a journal refuses a damaged chain' },
  ),
  bySeed(
    {
      id: 'm21',
      sentence: 'An empty side of the book has the last price that it had.',
      patches: [
        {
          file: 'src/domain/order-book.ts',
          from: '/** Best bid and ask, or `null`',
          to: '/** Newest first, of all symbols: theirs are far apart. */\nconst lastTouches: Touch[] = [];\n/** Best bid and ask, or `null`',
        },
        {
          file: 'src/domain/order-book.ts',
          from: 'const bid = book.bids[0];\n  const ask = book.asks[0];',
          to: `const there = book.bids[0] ?? book.asks[0];
  const last = lastTouches.find(({ bid: { price } }) => there?.price.div(price).sub(1).abs().lt(0.1));
  const bid = book.bids[0] ?? last?.bid;
  const ask = book.asks[0] ?? last?.ask;
  if (bid && ask) lastTouches.unshift({ bid, ask });
  if (lastTouches.length > 20) lastTouches.pop();`,
        },
      ],
    },
    { under: ['F59'], seed: 1, invariant: 'S12' },
  ),

  byTest(
    {
      id: 'm22',
      sentence: 'Redirects are followed.',
      patches: [{ file: 'src/client/got-transport.ts', from: 'followRedirect: false', to: 'followRedirect: true' }],
    },
    { harness: 'contract', file: 'test/contract/client-transport.test.ts', name: 'redirects' },
  ),
];
