// The PostgreSQL of a test file, or why its tests are skipped.
import { afterAll, beforeAll, test } from '@jest/globals';
import { type Cluster, postgresPrograms, startCluster } from '../../bench/postgres-cluster.ts';
import { invariant } from '../../src/domain/invariant.ts';
import { freePort } from './free-port.ts';
import { absent } from './tools.ts';

/**
 * A primary with its standby, from before the first test of the file until after the last. Without the server's
 * programs a sentence says what is skipped.
 */
export function clusterForTests(skipped: string) {
  const remedy = 'install the package `postgresql`';
  const bin = postgresPrograms() ?? absent('PostgreSQL is not installed', { skipped, remedy });
  let cluster: Cluster | null = null;
  beforeAll(async () => {
    if (bin !== null) cluster = startCluster(bin, [await freePort(), await freePort()]);
  });
  afterAll(() => cluster?.end());
  return {
    isThere: bin !== null,
    withServer: bin === null ? test.skip : test,
    cluster(): Cluster {
      invariant(cluster !== null, 'No test that needs the server runs without it.');
      return cluster;
    },
  };
}
