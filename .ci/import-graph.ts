// Which file imports which, and how long a chain of imports is.
import path from 'node:path';

export interface Source {
  readonly file: string;
  readonly text: string;
}

/** File → the files of the same list that it imports. */
export function importsOf(all: readonly Source[]): Map<string, string[]> {
  const known = new Set(all.map(({ file }) => file));
  const imported = ({ file, text }: Source): string[] =>
    [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)]
      .map(([, specifier = '']) => path.posix.join(path.posix.dirname(file), specifier))
      .filter((target) => known.has(target));
  return new Map(all.map((source) => [source.file, imported(source)]));
}

/** The longest chain of imports, from the highest file to the lowest; there is no circle. */
export function longestChain(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const chains = new Map<string, readonly string[]>();
  const chainOf = (file: string): readonly string[] => {
    const known = chains.get(file);
    if (known !== undefined) return known;
    const below = (imports.get(file) ?? []).map(chainOf).reduce((a, b) => (b.length > a.length ? b : a), []);
    const chain = [file, ...below];
    chains.set(file, chain);
    return chain;
  };
  return [...imports.keys()].map(chainOf).reduce((a, b) => (b.length > a.length ? b : a), []);
}
