// Pipeline step: a side that is locked has no quote. Its open orders are canceled as those of any empty side.
import { lockEnd, locksSide } from '../lock.ts';
import { changeEach, type Draft } from './draft.ts';

/** The name of the step, by which the time that locks cost is told. */
export const LOCKS = 'locks';

export function keepToLocks(draft: Draft): Draft {
  const { locks } = draft.view;
  if (locks.length === 0) return draft;
  return changeEach(draft, { name: LOCKS, unchanged: 'The other side is locked.' }, ({ side }) => {
    const lock = locks.find((each) => locksSide(each, side));
    return lock === undefined ? null : { drop: `Locked ${lockEnd(lock)}: ${lock.reason}` };
  });
}
