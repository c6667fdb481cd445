// Writes one of each file that the program believes into `<folder>` (`write`), or says of each what its reader makes of
// it (`read`): `good`, `none`, or the sentence of its refusal.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { StartError } from '../../src/bot/base/exit-codes.ts';
import { readKeys, readSecret } from '../../src/bot/keys/keys.ts';
import { makeBackup } from '../../src/bot/state-folder/backup.ts';
import { BackupDamaged, readBackup } from '../../src/bot/state-folder/backup-file.ts';
import { readConfigurationNote, recordConfiguration } from '../../src/bot/state-folder/configuration-note.ts';
import { readWitness, witnessFile } from '../../src/bot/state-folder/journal-witness.ts';
import { readKillLatch, setKillLatch } from '../../src/bot/state-folder/kill-latch.ts';
import { leaseFile, openLease, readLease } from '../../src/bot/state-folder/lease-file.ts';
import { ownOrdersFile, readOwnOrders, writeOwnOrders } from '../../src/bot/state-folder/own-orders-file.ts';
import { openSqliteJournal } from '../../src/bot/state-folder/sqlite-journal.ts';
import { journalPath, takeStateFolder } from '../../src/bot/state-folder/state-folder.ts';
import { readCertificate } from '../../src/bot/web/certificate.ts';
import { makePageTokens, readPageToken } from '../../src/bot/web/page-tokens.ts';
import { readLastStatus, writeLastStatus } from '../../src/bot/web/past-status.ts';
import { JournalError } from '../../src/journal/chain.ts';
import { realClock } from '../../src/ports/clock.ts';
import { noOrders } from '../../src/watchdog/own-orders.ts';
import { selfSigned } from '../contract/client-certificate.ts';
import { runOnce, settingsOf } from '../unit/bot/state-folder/state-folder-kit.ts';

const [, , task = '', folder = ''] = process.argv;
const at = (name: string): string => path.join(folder, name);
const found = (value: unknown): string => (value === null ? 'none' : 'good');

const READERS: Readonly<Record<string, () => string>> = {
  keys: () => found(readKeys({ kind: 'file', path: at('keys') }, {})),
  secret: () => found(readSecret({ kind: 'file', path: at('secret') }, {})),
  'key.pem': () => found(readCertificate({ certificate: at('cert.pem'), key: at('key.pem') })),
  'cert.pem': () => found(readCertificate({ certificate: at('cert.pem'), key: at('key.pem') })),
  'page-token': () => {
    const read = readPageToken(folder, 'steer');
    return 'why' in read ? read.why : 'good';
  },
  'kill-latch.json': () => {
    const latch = readKillLatch(folder);
    return latch === null ? 'none' : latch.isReadable ? 'good' : latch.reason;
  },
  'lease.json': () => found(readLease(leaseFile(folder))),
  'configuration.json': () => found(readConfigurationNote(folder)),
  'last-status.json': () => found(readLastStatus(folder)),
  'own-orders.log': () => readOwnOrders(ownOrdersFile(folder)).damaged ?? 'good',
  'journal-witness.json': () => found(readWitness(witnessFile(folder))),
  'journal.sqlite': () => {
    takeStateFolder(folder).close();
    return 'good';
  },
  'a.backup': () => found(readBackup(at('a.backup'))),
};

function write(): void {
  const { key, cert } = selfSigned('localhost', new Date(Date.now() + 86_400_000));
  const texts = { keys: 'key: canary-key\nsecret: canary-secret\n', secret: 'canary-secret\n', 'key.pem': key };
  for (const [name, text] of Object.entries({ ...texts, 'cert.pem': cert }))
    writeFileSync(at(name), text, { mode: 0o600 });
  makePageTokens(folder);
  setKillLatch(folder, 'A test.', realClock.now());
  openLease(leaseFile(folder), realClock);
  recordConfiguration(folder, ['a.yaml']);
  writeLastStatus(folder, '{}');
  writeOwnOrders(ownOrdersFile(folder), noOrders(null), realClock).close();
  openSqliteJournal(journalPath(folder)).close();
  runOnce(folder);
  makeBackup(settingsOf(folder), at('a.backup'));
}

function said(read: () => string): string {
  try {
    return read();
  } catch (error) {
    if (error instanceof StartError || error instanceof JournalError || error instanceof BackupDamaged)
      return error.message;
    return `thrown: ${String(error)}`;
  }
}

if (task === 'write') write();
else {
  const rows = Object.entries(READERS).map(([name, read]) => [name, said(read)]);
  console.log(JSON.stringify(Object.fromEntries(rows)));
}
