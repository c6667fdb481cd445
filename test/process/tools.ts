// Where the tools are that some tests start, and what a test says where they are not.
import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { findCcxt, INSTALL_CCXT } from '../../src/reference/ccxt/exchange.ts';

/** Each with the package that brings it, as Debian names it. */
const PACKAGES = {
  amtool: 'prometheus-alertmanager',
  bash: 'bash',
  'bean-check': 'beancount',
  'bean-query': 'beancount',
  curl: 'curl',
  fish: 'fish',
  logrotate: 'logrotate',
  openssl: 'openssl',
  prometheus: 'prometheus',
  'prometheus-alertmanager': 'prometheus-alertmanager',
  promtool: 'prometheus',
  python3: 'python3',
  script: 'bsdutils',
  strace: 'strace',
  'systemd-analyze': 'systemd',
  zsh: 'zsh',
} as const;

/** The path of a tool, or null after a sentence that says what is skipped. In CI its absence is an error. */
export function findTool(name: keyof typeof PACKAGES, skipped: string): string | null {
  try {
    return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
  } catch {
    return absent(`${name} is not installed`, { skipped, remedy: `install the package \`${PACKAGES[name]}\`` });
  }
}

/**
 * The folder whose packages hold ccxt: that of the checkout, or the one that CCXT_FOLDER names; null after a sentence
 * that says what is skipped.
 */
export function findCcxtFolder(skipped: string): string | null {
  const folder = process.env.CCXT_FOLDER ?? path.resolve(import.meta.dirname, '../..');
  if (findCcxt([folder]) !== null) return folder;
  return absent('The package ccxt is not installed', { skipped, remedy: INSTALL_CCXT });
}

/** Ends a tool that was started, and resolves when it has ended. */
export async function endedOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

export interface Absence {
  /** What is not tested without it. */
  readonly skipped: string;
  readonly remedy: string;
}

/**
 * Says why tests are skipped; in CI, where none may be, an error. Not by the console: Jest keeps to itself what a file
 * says there whose tests are all skipped.
 */
export function absent(why: string, { skipped, remedy }: Absence): null {
  if (process.env.CI === 'true') throw new Error(`${why}, and CI must not skip ${skipped}: ${remedy}.`);
  process.stderr.write(`Skipped: ${skipped}. ${why}; ${remedy}, or set CI=true to have the absence fail.\n`);
  return null;
}
