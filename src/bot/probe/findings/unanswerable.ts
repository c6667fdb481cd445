// The questions that no read can answer, each with the way to find out: they need an order, or days.
import { type Finding, open } from '../facts/finding.ts';

const QUESTIONS: readonly (readonly [id: string, question: string, way: string])[] = [
  [
    'cancel-of-closed',
    'Q5 a cancel of an order that is closed',
    'Cancel one order of the least size twice: 200 or -5014 the second time. The bot takes neither for proof.',
  ],
  [
    'lags',
    'Q6 how far lists trail the book',
    'Orders of the least size, placed, canceled and filled: how long until open orders, ' +
      'own trades and wallet all show it. assumptions.readLagBoundMs must be above ' +
      'the longest of them by a margin: docs/operations.md, "How far lists trail".',
  ],
  [
    'recv-window',
    'Q7 whether recvWindow is checked again before matching',
    'Only a venue that is slow at that moment shows it: the bot waits for the longer of the two.',
  ],
  [
    'crossing',
    'Q9 whether an order that would cross takes',
    'Place one order of the least size across the spread: ' +
      'it fills and costs the taker fee, or is refused with 200 and a msg.',
  ],
  [
    'self-trade',
    'Q10 self-trade',
    'Place one order of the least size at the best price and one against it. The bot never crosses itself.',
  ],
  [
    'cancel-all-race',
    'Q21 cancel-all while a create is on its way',
    'Send both at once, many times: the bot cancels again after the horizon of its last create.',
  ],
  [
    'refused-create',
    'Q23 what a create off the tick, or without funds, gets',
    'Place one order off the tick, far from the market: -1114, 200 with a msg, or -5013.',
  ],
  [
    'empty-values',
    'Q1 empty values in what is signed',
    'The bot sends none. An order list asked with an empty status would tell: -1022, or an answer.',
  ],
  [
    'content-type',
    'Q24 cancel-all with or without Content-Type',
    'A cancel-all while no order is open: the bot sends none.',
  ],
];

export function unanswerable(): readonly Finding[] {
  return QUESTIONS.map(([id, question, way]) => ({ ...open({ id, question }, way), finding: 'not known by reading' }));
}
