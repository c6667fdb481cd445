// Which places of the program ran since the last look, in this process.
import { Session } from 'node:inspector/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Stretch, stretchesOf } from './stretches.ts';

/** By file, from the root of the tree; what a file lacks did not run. */
export type Ran = Readonly<Record<string, readonly Stretch[]>>;

export interface Coverage {
  /** Since the last call, or since it began. */
  take(): Promise<Ran>;
  end(): void;
}

/** `isAsked`: of a file, from the root of the tree. */
export async function startCoverage(root: string, isAsked: (file: string) => boolean): Promise<Coverage> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  // Counted: what is only noted as run is told once, and not again by the next look.
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return {
    async take() {
      const { result } = await session.post('Profiler.takePreciseCoverage');
      const ran: Record<string, readonly Stretch[]> = {};
      for (const { url, functions } of result) {
        if (!url.startsWith('file:')) continue;
        const file = path.relative(root, fileURLToPath(url)).split(path.sep).join('/');
        if (isAsked(file))
          ran[file] = stretchesOf(
            functions.flatMap(({ ranges }) => ranges),
            false,
          );
      }
      return ran;
    },
    end: () => session.disconnect(),
  };
}
