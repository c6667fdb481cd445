// Findings about the database that keeps the journal: its version, and whether another server has what it acknowledges.
import { realClock } from '../../ports/clock.ts';
import type { Environment } from '../keys/keys.ts';
import { postgresPlace } from '../postgres/journal-of.ts';
import { standingOf } from '../postgres/postgres-journal.ts';
import { placeText } from '../postgres/postgres-place.ts';
import type { Settings } from '../settings/types.ts';
import { translated } from '../state-folder/state-folder.ts';
import { type Finding, good, note } from './check-venue.ts';

/** Throws the `StartError` with which `run` would end, another holder's lease apart. */
export function journalFindings({ journal, stateFolder }: Settings, environment: Environment): readonly Finding[] {
  if (journal === null) return [];
  const place = postgresPlace(journal, environment);
  const { at, version, names, sync, hidden } = translated(
    stateFolder,
    () => standingOf(place, realClock),
    placeText(place),
  );
  const server = `PostgreSQL ${version} at ${at}`;
  if (sync > 0) return [good('journal', `${server}, with ${sync} synchronous ${sync === 1 ? 'standby' : 'standbys'}.`)];
  if (hidden > 0 && names !== '')
    return [note('journal', `${server}. Only a role with pg_monitor sees which of its standbys are synchronous.`)];
  const lost =
    'if it is lost, so are the latest records, and with them orders that a standby never knew ' +
    '(synchronous_standby_names)';
  return [
    names === ''
      ? note('journal', `${server}, without a synchronous standby: ${lost}.`)
      : note(
          'journal',
          `${server} waits for a synchronous standby (${names}), and none is connected: \`run\` can't write.`,
        ),
  ];
}
