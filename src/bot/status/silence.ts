// An exchange that does not answer: since when, what may rest there, and what a person can do about it.
import { contactWords } from '../../trader/contact/responsive.ts';
import type { StatusSnapshot, Verdict } from '../../trader/status/snapshot.ts';
import { ownOrders, standingsOf } from './resting.ts';
import { ended } from './sentence.ts';
import { duration } from './status-words.ts';

type Facts = Pick<StatusSnapshot, 'at' | 'contact' | 'maintenance' | 'symbols'>;

/** Null while the exchange answers. */
export function silenceSentence({ at, contact, maintenance, symbols }: Facts): string | null {
  const { silentSince: since, because } = contact;
  const how = since === null ? '' : ` for ${duration(at - since)}, since ${clockTime(since)}`;
  if (maintenance !== null) {
    const again = `It is asked again at ${clockTime(maintenance.askedAgainAt)}.`;
    return `The exchange refuses requests: it is in maintenance (-1125)${how}. ${again} ${restWords(symbols)}`;
  }
  if (since === null) return null;
  const last = because === null ? '' : ` The last attempt: ${ended(because)}`;
  return `${contactWords(contact.lanes)}${how}. ${restWords(symbols)}${last}`;
}

export const clockTime = (moment: number): string => `${new Date(moment).toISOString().slice(11, 19)} UTC`;

/** What to do about it. A watchdog does not end a bot for it: the bot is the one that asks. */
export function silenceRemedy({ maintenance, contact: { lanes } }: Facts): string {
  if (maintenance !== null)
    return 'Nothing to do: the first answer is used for cancels, and all is read before anything is quoted.';
  if (!Object.values(lanes).includes('silent'))
    return (
      'The bot waits as the answers say and cancels first; do not restart it. If it lasts: does somebody else use ' +
      "this key or this address? The exchange's own page cancels, too."
    );
  return (
    'The bot keeps asking and cancels first when it is answered; do not restart it. If your own network is ' +
    'well, look ' +
    "at the exchange's own page and cancel there; from another network, `quotekeeper cancel-all` with the same " +
    'configuration. Where that page is silent too, nothing can be done from here.'
  );
}

/** The same in one word; a lane that is silent is graver than one that refuses. */
export function silenceVerdict({ contact, maintenance }: Facts): Verdict {
  if (maintenance !== null) return { tone: 'stop', word: 'Maintenance' };
  const lanes = Object.values(contact.lanes);
  if (!lanes.includes('silent')) return { tone: 'stop', word: 'Refused' };
  return { tone: 'stop', word: lanes.every((each) => each === 'silent') ? 'No answer' : 'No answer in part' };
}

function restWords(symbols: StatusSnapshot['symbols']): string {
  const { all } = standingsOf({ symbols });
  return all === 0
    ? 'No own order is open, as far as is known.'
    : `${ownOrders(all)} may rest there, and may fill unseen.`;
}
