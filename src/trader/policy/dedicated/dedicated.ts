// The account is the bot's alone: an order that is like one of its own is its own, and anything else that it did not
// place halts trading (decision 0009).

import type { AccountPolicy } from '../account-policy.ts';
import { isAlike } from '../attribution/match.ts';
import { orderWords } from '../attribution/questions.ts';
import { takeDuplicate, takeFilledDuplicates } from './duplicates.ts';
import { matchOf } from './matches.ts';
import { refuse, refuseOtherMarkets } from './refuse.ts';

export const dedicated: AccountPolicy = {
  cancelsBySymbol: true,
  ownerTrades: false,
  trustsIncompleteLists: true,
  watchesOtherMarkets: true,
  noteThirdPartyOrder: (turn, row) => refuse(turn, orderWords(row)),
  noteThirdPartyTrade: refuse,
  noteOtherMarkets: refuseOtherMarkets,
  matchOf,
  areFillsOf: (_state, intent, { listed }) => listed === undefined || listed.mayBeOurs || isAlike(intent, listed.row),
  // Only which of its own it is can be in question: a list may show the other one.
  isListAwaited: (couldBe) => couldBe.length > 1,
  // The second one is ours as well: it is found to be a duplicate afterwards.
  askIfAmbiguous: () => false,
  takeDuplicate,
  takeFilledDuplicates,
  // What is booked as not the bot's has halted trading already.
  askAboutFills: () => false,
  isAskedAboutFills: () => false,
};
