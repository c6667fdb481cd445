// Mutants of what the program stands on: journal, clock, lanes, sockets, the latch, the watchdog.
import { bySeed, byTest, type Mutant } from './mutant-row.ts';

export const MACHINE_MUTANTS: readonly Mutant[] = [
  bySeed(
    {
      id: 'm4',
      sentence: 'The intent becomes durable only after its create has left.',
      patches: [
        {
          in: 'choose',
          beside: 'startLoop',
          find: 'take($LOOP, committed.effects)',
          put: 'setTimeout(() => take($LOOP, committed.effects), 5)',
        },
      ],
    },
    { under: ['F90'], seed: 0, invariant: 'S2' },
  ),
  byTest(
    {
      id: 'm14',
      sentence: 'Durations are measured by the wall clock.',
      patches: [
        { in: 'createPacedTurns', find: 'startPace(clock.monotonic())', put: 'startPace(clock.now())' },
        {
          in: 'admit',
          beside: 'createPacedTurns',
          find: 'const now = clock.monotonic()',
          put: 'const now = clock.now()',
        },
        { in: 'createLane', find: 'now: clock.monotonic()', put: 'now: clock.now()' },
        {
          in: 'createPacedTurns',
          find: 'returned($PACE, leftAt, clock.monotonic())',
          put: 'returned($PACE, leftAt, clock.now())',
        },
        { in: 'pausedUntilOf', find: '$PACE.pausedUntil - clock.monotonic()', put: '$PACE.pausedUntil - clock.now()' },
      ],
    },
    { harness: 'unit', file: 'test/unit/client/lane.test.ts', name: 'a wall clock that steps' },
  ),
  byTest(
    {
      id: 'm14b',
      sentence: "The program's own time follows a wall clock that is set.",
      patches: [{ in: 'realClock', find: 'Math.round(performance.timeOrigin + performance.now())', put: 'Date.now()' }],
    },
    { harness: 'unit', file: 'test/unit/ports/real-clock.test.ts', name: 'a step of' },
  ),
  bySeed(
    {
      id: 'm15',
      sentence: 'Retry-After is ignored.',
      patches: [{ in: 'throttledBy', find: 'Math.max(named, untold)', put: 'Math.max(0 * named, 0.01 * untold)' }],
    },
    { under: ['F18'], seed: 1, invariant: 'K6' },
  ),
  byTest(
    {
      id: 'm16',
      sentence: 'The kill latch is in memory only.',
      patches: [
        { in: 'latchSchema', before: 'const inMemory = new Map<string, KillLatch>();' },
        {
          in: 'readLatchAt',
          find: 'const parsed = latchSchema.safeParse($READ)',
          put: `const kept = inMemory.get(file);
    if (kept !== undefined) return kept;
    const parsed = latchSchema.safeParse($READ);`,
        },
        {
          in: 'setKillLatch',
          find: 'writeDurably(file, $LATCH)',
          put: 'inMemory.set(file, { reason, at: new Date(now).toISOString(), rearm })',
        },
      ],
    },
    {
      harness: 'process',
      file: 'test/process/latch.slow.test.ts',
      name: 'cancel-all F109: pressed twice at once while the bot is dead',
    },
  ),
  byTest(
    {
      id: 'm17',
      sentence: 'The watchdog cancels without fencing the bot off.',
      patches: [
        { in: 'act', beside: 'startWatch', find: "kind: 'latch'", put: "kind: 'look-at-bot'" },
        {
          in: 'ending',
          find: 'return kill.end === null ? $STILL : afterSight($$$SEEN)',
          put: `return toClearing(
            { ...state, kill: { ...kill, isLatched: true, end: { termAt: now.mono, killedAt: null, isGone: true } } },
            [],
            now,
          )`,
        },
      ],
    },
    {
      harness: 'process',
      file: 'test/process/watchdog.slow.test.ts',
      name: 'a bot that stands still for longer than its time to live',
    },
  ),
  byTest(
    {
      id: 'm17b',
      sentence: 'The watchdog sets the latch, and cancels before the bot is seen to be gone.',
      patches: [
        {
          in: 'afterLatch',
          find: 'return { ...still(next, now), effects: [told, $SIGNAL, $LOOK] }',
          put: 'return toClearing(next, [told, $SIGNAL], now)',
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
          in: 'take',
          beside: 'startLoop',
          find: 'writeEvents($$$EVENTS)',
          put: 'try { writeEvents($$$EVENTS); } catch {}',
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
          in: 'readJournal',
          find: 'if (refusal) return fail(refusal)',
          put: "if (refusal?.kind === 'damaged') break; if (refusal) return fail(refusal);",
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
        // Newest first, of all symbols: theirs are far apart.
        { in: 'touchOf', before: 'const lastTouches: Touch[] = [];' },
        {
          in: 'touchOf',
          find: 'const bid = book.bids[0]',
          put: `const there = book.bids[0] ?? book.asks[0];
  const last = lastTouches.find(({ bid: { price } }) => there?.price.div(price).sub(1).abs().lt(0.1));
  const bid = book.bids[0] ?? last?.bid;`,
        },
        {
          in: 'touchOf',
          find: 'const ask = book.asks[0]',
          put: `const ask = book.asks[0] ?? last?.ask;
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
      patches: [{ in: 'clientOf', find: 'followRedirect: false', put: 'followRedirect: true' }],
    },
    { harness: 'contract', file: 'test/contract/client-transport.test.ts', name: 'redirects' },
  ),
];
