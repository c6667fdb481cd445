// Mutants of what a person changes while the bot runs: previews that are not only shown, revisions that nothing tells,
// symbols that are resumed whatever halted them, pauses that hold nothing back.
import { bySeed, type Mutant } from '../mutants/mutant-row.ts';

export const STEERING_MUTANTS: readonly Mutant[] = [
  bySeed(
    {
      id: 'm83',
      sentence: 'A preview is worked out on the market that is quoted, which keeps its parameters.',
      patches: [{ in: 'decisionUnder', find: '{ ...market, knowledge: { ...market.knowledge } }', put: 'market' }],
    },
    { under: ['F130'], seed: 0, invariant: 'K15' },
  ),
  bySeed(
    {
      id: 'm84',
      sentence: 'A run is revised, and no revision says so.',
      patches: [{ in: 'reviseRun', find: 'noteRevision(turn, run, by)', put: 'void by' }],
    },
    { under: ['F130'], seed: 0, invariant: 'K15' },
  ),
  bySeed(
    {
      id: 'm85',
      sentence: 'A change is taken back by a start, and no revision says so.',
      patches: [
        {
          in: 'noteRevision',
          find: 'known !== null && changes.length === 0',
          put: 'known !== null && by === BY_START',
        },
      ],
    },
    { under: ['F130', 'F90'], seed: 0, invariant: 'K15' },
  ),
  bySeed(
    {
      id: 'm86',
      sentence: 'A bot that runs resumes whatever is halted.',
      patches: [{ in: 'needsNoStart', find: 'WITHOUT_A_START.has(code)', put: 'code.length > 0' }],
    },
    { under: ['F131', 'F39'], seed: 0, invariant: 'K15' },
  ),
  bySeed(
    {
      id: 'm87',
      sentence: 'A bot whose watchdog is not to be seen goes on.',
      patches: [{ in: 'pause', beside: 'observe', find: "state.phase = 'paused'", put: "state.phase = 'running'" }],
    },
    { under: ['F132'], seed: 0, invariant: 'K15' },
  ),
  bySeed(
    {
      id: 'm88',
      sentence:
        'A market that joins later is opened with all that is held, and what its trades moved is booked on top.',
      patches: [
        { in: 'opened', beside: 'openMarkets', find: 'subtract(total, moved.get(asset) ?? NO_AMOUNT)', put: 'total' },
      ],
    },
    { under: ['F133'], seed: 2, invariant: 'L4' },
  ),
  bySeed(
    {
      id: 'm89',
      sentence: 'Trades of a market that joins later, from before it is opened, are not booked.',
      patches: [{ in: 'openMarkets', find: 'bookAll(turn, symbol, later)', put: 'void later' }],
    },
    { under: ['F133'], seed: 2, invariant: 'L4' },
  ),
  bySeed(
    {
      id: 'm90',
      sentence: 'A trade that was read while its market waited to be opened is held for one that lists lacked.',
      patches: [
        { in: 'noteFill', beside: 'noteLags', find: "each.type === 'markets-opened'", put: "each.type === 'opened'" },
      ],
    },
    { under: ['F133'], seed: 2, invariant: 'L4' },
  ),
];
