/** Where a fault makes the bot do something wrong; the rest of the program reads, shows and starts. */
export const MUTATED_FOLDERS: readonly string[] = [
  'src/trader',
  'src/client',
  'src/quoting',
  'src/ledger',
  'src/loop',
  'src/watchdog',
  'src/journal',
];
