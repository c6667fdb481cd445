// A project's exchange behind a proxy that remembers what was asked of it.
import type { Project } from './bot-process.ts';
import { freePort } from './free-port.ts';
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts';

export interface ProxiedExchange {
  /** Listens where the bot looks for its exchange. */
  readonly proxy: RecordingProxy;
  /** Where the exchange itself listens. */
  readonly behind: number;
}

/** `changes`: how the project is configured, while the exchange starts and afterward. */
export async function proxiedExchange(
  project: Project,
  changes: Parameters<Project['configure']>[0] = {},
): Promise<ProxiedExchange> {
  const behind = await freePort();
  project.configure({ ...changes, 'paper.port': behind });
  await project.exchange();
  project.configure(changes);
  return { behind, proxy: await startRecordingProxy(project.exchangePort, behind) };
}
