// Several files as one configuration: runs are put one after the other, everything else must agree.

import { shown } from './complain.ts';
import { type Complaint, type Entry, type Located, type Path, pathText } from './located.ts';

/** The files as one tree, and each contradiction between two of them. */
export function joinFiles(files: readonly Located[]): { root: Located | null; complaints: readonly Complaint[] } {
  const complaints: Complaint[] = [];
  const root = files.reduce<Located | null>(
    (sum, file) => (sum ? join({ sum, file, path: [] }, complaints) : file),
    null,
  );
  return { root, complaints };
}

interface Step {
  readonly sum: Located;
  readonly file: Located;
  readonly path: Path;
}

function join({ sum, file, path }: Step, complaints: Complaint[]): Located {
  if (sum.kind === 'map' && file.kind === 'map') {
    const entries = new Map<string, Entry>(sum.entries);
    for (const [key, entry] of file.entries) {
      const known = sum.entries.get(key);
      const step = known && { sum: known.value, file: entry.value, path: [...path, key] };
      entries.set(key, step ? { keyAt: known.keyAt, value: join(step, complaints) } : entry);
    }
    return { kind: 'map', at: sum.at, entries };
  }
  if (path.length === 1 && path[0] === 'runs' && sum.kind === 'list' && file.kind === 'list') {
    return { kind: 'list', at: sum.at, items: [...sum.items, ...file.items] };
  }
  if (!isSame(sum, file)) complaints.push(contradiction({ sum, file, path }));
  return sum;
}

function contradiction({ sum, file, path }: Step): Complaint {
  const there = `${sum.at.file}:${sum.at.line}`;
  const values = `${shown(file, path)} contradicts ${shown(sum, path)} in ${there}`;
  return { at: file.at, sentence: `${pathText(path)}: ${values}; only runs may differ between files.` };
}

/** Equal content. `0.10` and `0.1` differ: two files that mean the same can say the same. */
function isSame(a: Located, b: Located): boolean {
  if (a.kind === 'scalar' && b.kind === 'scalar') return a.source === b.source && a.value === b.value;
  if (a.kind === 'list' && b.kind === 'list') {
    return a.items.length === b.items.length && a.items.every((item, index) => sameOrAbsent(item, b.items[index]));
  }
  if (a.kind !== 'map' || b.kind !== 'map' || a.entries.size !== b.entries.size) return false;
  return [...a.entries].every(([key, entry]) => sameOrAbsent(entry.value, b.entries.get(key)?.value));
}

const sameOrAbsent = (a: Located, b: Located | undefined): boolean => b !== undefined && isSame(a, b);
