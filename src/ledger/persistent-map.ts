// A map from text to text for hundreds of thousands of keys of which a changed copy costs next to nothing.

// A tree of fixed depth: three levels of 32 branches chosen by bits of the key's hash, then a short list of keys and
// values. Setting a key copies the three nodes above it and its list; all else is shared with the map before.
const BITS = 5;
const BRANCHES = 1 << BITS;
const MASK = BRANCHES - 1;
const LEVELS = 3;

/** Keys and values in turn. */
type Leaf = readonly string[];
type Node = readonly (Node | Leaf | undefined)[];

export interface PersistentMap {
  readonly root: Node;
  readonly size: number;
}

const EMPTY_NODE: Node = new Array<undefined>(BRANCHES).fill(undefined);
export const EMPTY_MAP: PersistentMap = { root: EMPTY_NODE, size: 0 };

export function getText(map: PersistentMap, key: string): string | undefined {
  const hash = hashOf(key);
  let node: Node = map.root;
  for (let level = 0; level < LEVELS - 1; level += 1) {
    const next = node[branchOf(hash, level)];
    if (next === undefined) return undefined;
    node = next as Node;
  }
  const leaf = node[branchOf(hash, LEVELS - 1)] as Leaf | undefined;
  if (leaf === undefined) return undefined;
  const at = indexOf(leaf, key);
  return at < 0 ? undefined : leaf[at + 1];
}

/** A map with one more or one other value; the map given stays as it is. */
export function setText(map: PersistentMap, key: string, text: string): PersistentMap {
  const change = { key, text, hash: hashOf(key), added: 0 };
  const root = setIn(map.root, 0, change);
  return { root, size: map.size + change.added };
}

/** All pairs, in no order that means anything. */
export function* pairsOf(map: PersistentMap): Generator<[string, string]> {
  yield* pairsUnder(map.root, 0);
}

function* pairsUnder(node: Node, level: number): Generator<[string, string]> {
  for (const child of node) {
    if (child === undefined) continue;
    if (level < LEVELS - 1) yield* pairsUnder(child as Node, level + 1);
    else for (let i = 0; i < child.length; i += 2) yield [child[i] as string, child[i + 1] as string];
  }
}

interface Setting {
  readonly key: string;
  readonly text: string;
  readonly hash: number;
  added: number;
}

function setIn(node: Node, level: number, change: Setting): Node {
  const branch = branchOf(change.hash, level);
  const copy = node.slice();
  const child = node[branch];
  copy[branch] =
    level < LEVELS - 1
      ? setIn((child as Node | undefined) ?? EMPTY_NODE, level + 1, change)
      : setInLeaf((child as Leaf | undefined) ?? [], change);
  return copy;
}

function setInLeaf(leaf: Leaf, change: Setting): Leaf {
  const at = indexOf(leaf, change.key);
  if (at < 0) {
    change.added = 1;
    return [...leaf, change.key, change.text];
  }
  return leaf.with(at + 1, change.text);
}

function indexOf(leaf: Leaf, key: string): number {
  for (let i = 0; i < leaf.length; i += 2) if (leaf[i] === key) return i;
  return -1;
}

const branchOf = (hash: number, level: number): number => (hash >>> (level * BITS)) & MASK;

/** FNV-1a over the UTF-16 units, its high bits mixed into the low ones that choose the branches. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i += 1) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
