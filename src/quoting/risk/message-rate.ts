// Risk check on how often the bot speaks: creates and cancels together, over the whole account.
import { type Check, deny } from './risk-context.ts';

const WINDOWS = [
  ['inSecond', 'maxPerSecond', 'within a second'],
  ['inMinute', 'maxPerMinute', 'within a minute'],
  ['today', 'maxPerDay', 'today'],
] as const;

/** Check 7. Creates wait; cancels count and never wait: what takes risk away is not held up. */
export const checkMessageRate: Check = (_proposal, { messages, messageLimits }) => {
  for (const [count, limit, words] of WINDOWS) {
    if (messages[count] < messageLimits[limit]) continue;
    const text = `${messages[count]} creates and cancels have left ${words}; ${limit} is ${messageLimits[limit]}.`;
    return deny('message-rate', text);
  }
  return null;
};
