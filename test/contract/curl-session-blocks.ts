// The session of docs/curl-session.md as data: each block of commands with what the document says it prints.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT_ROOT } from '../process/start-program.ts';
import { findTool } from '../process/tools.ts';

export interface Block {
  /** Number and title of its section. */
  readonly section: string;
  readonly commands: string;
  /** Lines that the document shows; `null` where it shows none. */
  readonly shown: readonly string[] | null;
}

const FENCE = /^```(\w+)\n([\s\S]*?)^```$/gm;

export function sessionBlocks(): readonly Block[] {
  const text = readFileSync(path.join(PROJECT_ROOT, 'docs/curl-session.md'), 'utf8');
  return text.split(/^## /m).flatMap((part) => {
    const section = part.slice(0, part.indexOf('\n'));
    const fences = [...part.matchAll(FENCE)].map(([, kind, content]) => ({ kind, content: content ?? '' }));
    return fences.flatMap(({ kind, content }, index) => {
      if (kind !== 'bash') return [];
      const next = fences[index + 1];
      return [{ section, commands: content, shown: next?.kind === 'text' ? linesOf(next.content) : null }];
    });
  });
}

export const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');

export interface Ran {
  readonly code: number | null;
  /** What each block printed, line by line. */
  readonly printed: readonly (readonly string[])[];
  readonly errors: string;
}

const ENDS_WITHIN_MS = 300_000;
const MARK = '=== next block ===';

/** Runs the blocks in one bash, as somebody who pastes them; nothing that they started outlives it. */
export async function runBlocks(
  blocks: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ran> {
  const script = blocks.join(`\necho; echo '${MARK}'\n`);
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...environment };
  const child = spawn('bash', ['-c', script], {
    cwd: PROJECT_ROOT,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    text.out += chunk.toString('utf8');
  });
  child.stderr.on('data', (chunk: Buffer) => {
    text.err += chunk.toString('utf8');
  });
  // A session that waits for ever ends here, and without an exit code.
  const deadline = setTimeout(() => endGroup(child.pid), ENDS_WITHIN_MS);
  child.on('exit', () => endGroup(child.pid));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearTimeout(deadline);
  return { code, printed: text.out.split(MARK).map(linesOf), errors: text.err };
}

/** Ends what the script left running, where a block failed before the last one. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing was left: as it should be.
  }
}

/** Whether the tools of the session are here; says what is missing. In CI their absence is an error. */
export function hasTools(): boolean {
  return (['bash', 'curl', 'openssl'] as const).every(
    (tool) => findTool(tool, 'the documents that show curl') !== null,
  );
}
