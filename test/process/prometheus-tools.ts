// Where the tools of Prometheus are, and what a test says where they are not.
import { execFileSync } from 'node:child_process';

const HOW_TO_GET = 'install the package `prometheus` (it brings promtool), or set CI=true to have the absence fail';

/** The path of a tool, or null after a sentence. In CI its absence is an error. */
export function findTool(name: 'prometheus' | 'promtool'): string | null {
  try {
    return execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
  } catch {
    if (process.env.CI === 'true') throw new Error(`${name} is not installed, and CI must not skip: ${HOW_TO_GET}.`);
    console.warn(`Skipped: ${name} is not installed; ${HOW_TO_GET}.`);
    return null;
  }
}
