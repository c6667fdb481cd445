// The page of all accounts: asks every two seconds.
import { askOften } from '../asking.js';
import { elementOf, patch } from '../dom.js';
import { listenToButtons } from '../steer/actions.js';
import { currentSession } from '../steer/session.js';
import { clockText } from '../times.js';
import { FLEET_COMMANDS } from './commands.js';
import { fleetPage, titleOf } from './page.js';

/** @import { FleetNews } from '../../../fleet/fleet-page.ts' */
/** @import { News } from '../asking.js' */

/** The last answer of the database. @type {News<FleetNews> | null} */
let known = null;

const { changed } = askOften({
  everyMs: 2_000,
  take: (/** @type {News<FleetNews>} */ news) => {
    if (news.status.failure === null) known = news;
  },
  draw(news, { stale }) {
    if (news === null) known = null;
    if (known !== null) {
      patch(elementOf('page'), fleetPage(known.status, currentSession()));
      document.title = titleOf(known.status);
    }
    const failure = stale ? '`quotekeeper fleet page` does not answer: does it run?' : (news?.status.failure ?? null);
    const since = known === null ? '' : ` No news since ${clockText(known.at)}: what is below was true then.`;
    return failure === null ? null : `${failure}${since}`;
  },
});
const dialog = elementOf('dialog');
if (dialog instanceof HTMLDialogElement)
  listenToButtons(dialog, { changed, shown: () => null, commands: FLEET_COMMANDS });
