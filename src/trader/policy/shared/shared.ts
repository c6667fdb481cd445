// The owner trades on the account as well: nothing of his is canceled or taken for the bot's, and where the two can't
// be told apart a person is asked (decision 0009).

import type { AccountPolicy } from '../account-policy.ts';
import { filledBy } from '../attribution/match.ts';
import { askAboutFills, isAskedAboutFills } from './doubtful-fills.ts';
import { areFillsOf, matchOf } from './matches.ts';
import { askAboutDuplicate, askIfAmbiguous } from './possible-duplicates.ts';
import { notifyThirdPartyOrder } from './third-party-orders.ts';

export const shared: AccountPolicy = {
  cancelsBySymbol: false,
  ownerTrades: true,
  trustsIncompleteLists: false,
  watchesOtherMarkets: false,
  noteThirdPartyOrder: notifyThirdPartyOrder,
  // The booking notifies of it.
  noteThirdPartyTrade: () => undefined,
  noteOtherMarkets: () => undefined,
  matchOf,
  areFillsOf,
  // They may be of a part of what was sent, or of a smaller order of the owner's.
  isListAwaited: (couldBe, fills) => couldBe.some((intent) => filledBy(intent, fills).lt(intent.quantity)),
  askIfAmbiguous,
  takeDuplicate: askAboutDuplicate,
  // A second order that fills unseen is booked as the owner's.
  takeFilledDuplicates: () => undefined,
  askAboutFills,
  isAskedAboutFills,
};
