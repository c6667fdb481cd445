// Jest environment that tells which places of the program a test file runs: V8 counts them. A mutant in a place that no
// test runs can't be noticed, and one that three files run needs only those.
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import type { EnvironmentContext, JestEnvironmentConfig } from '@jest/environment';
import { TestEnvironment } from 'jest-environment-node';
import { type Stretch, stretchesOf } from '../../simulation/mutation/stretches.ts';
import { tell } from './message.ts';
import { fromRoot, ROOT } from './places.ts';

export default class ReachingEnvironment extends TestEnvironment {
  readonly #session = new Session();
  readonly #test: string;

  constructor(config: JestEnvironmentConfig, context: EnvironmentContext) {
    super(config, context);
    this.#test = fromRoot(context.testPath);
  }

  override async setup(): Promise<void> {
    await super.setup();
    this.#session.connect();
    await this.#session.post('Profiler.enable');
    await this.#session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true });
  }

  override async teardown(): Promise<void> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage');
    this.#session.disconnect();
    const ours = result
      .map(({ url, functions }) => ({ file: fileOf(url), functions }))
      .filter(({ file, functions: [module] }) => isTests(file) && (module?.ranges[0]?.count ?? 0) > 0);
    const stretches: Record<string, readonly Stretch[]> = {};
    for (const { file, functions } of ours) {
      if (file?.startsWith('src/'))
        stretches[file] = stretchesOf(
          functions.flatMap(({ ranges }) => ranges),
          true,
        );
    }
    tell({ kind: 'reached', test: this.#test, loaded: ours.map(({ file }) => file ?? ''), stretches });
    await super.teardown();
  }
}

/** From the root of the tree; null where it is none of its files. */
function fileOf(url: string): string | null {
  const file = url.startsWith('file:') ? fileURLToPath(url) : url;
  return file.startsWith(`${ROOT}/`) ? fromRoot(file) : null;
}

/** Not of packages or of this command. What an earlier test file has loaded is still known, and has not run. */
const isTests = (file: string | null): boolean => file !== null && !/^node_modules\/|^test\/mutation\//.test(file);
