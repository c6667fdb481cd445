// The PostgreSQL of a test file, or why its tests are skipped.
import { type Cluster, postgresPrograms, startCluster } from '../../bench/postgres-cluster.ts';
import { freePort } from './free-port.ts';
import { absent } from './tools.ts';

/** The folder of the server's programs; null after a sentence that says what is skipped. */
export const findPostgres = (skipped: string): string | null =>
  postgresPrograms() ?? absent('PostgreSQL is not installed', { skipped, remedy: 'install the package `postgresql`' });

export const newCluster = async (bin: string): Promise<Cluster> =>
  startCluster(bin, [await freePort(), await freePort()]);
