// An exchange that does not answer: since when, what may rest there, and what a person can do about it.
import type { StatusSnapshot } from '../../trader/snapshot.ts';
import { duration } from '../status-words.ts';
import { ownOrders, standingsOf } from './resting.ts';
import { ended } from './sentence.ts';

type Facts = Pick<StatusSnapshot, 'at' | 'contact' | 'symbols'>;

/** Null while the exchange answers. */
export function silenceSentence({ at, contact, symbols }: Facts): string | null {
  const { silentSince: since, because } = contact;
  if (since === null) return null;
  const how = `for ${duration(at - since)}, since ${new Date(since).toISOString().slice(11, 19)} UTC`;
  const last = because === null ? '' : ` The last attempt: ${ended(because)}`;
  return `${whatIsSilent(contact)} ${how}. ${restWords(symbols)}${last}`;
}

/** What to do about it: with a watchdog, without one, and where nothing of ours gets through. */
export function silenceRemedy(watchdog: 'alive' | 'missing' | 'not-asked'): string {
  const watched =
    watchdog === 'alive'
      ? 'The bot keeps asking; when it hears nothing for watchdog.ttlMs, the watchdog ends it and cancels.'
      : 'The bot keeps asking and cancels first when it is answered.';
  return (
    `${watched} If your own network is well, look at the exchange's own page and cancel there; from another network, ` +
    '`quotekeeper cancel-all` with the same configuration.'
  );
}

function whatIsSilent({ silent }: StatusSnapshot['contact']): string {
  if (silent.length === 1 && silent[0] === 'public') return 'The exchange has sent no order book';
  if (silent.length === 1) return 'The exchange has answered nothing about orders and wallet';
  return 'The exchange has not answered';
}

function restWords(symbols: StatusSnapshot['symbols']): string {
  const { all } = standingsOf({ symbols });
  return all === 0
    ? 'No own order is open, as far as is known.'
    : `${ownOrders(all)} may rest there, and may fill unseen.`;
}
