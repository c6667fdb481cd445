// What one answer may have people told is bounded, however many rows it holds.
import type { Notice } from '../trader/state/turn.ts';

/** Of each kind of notice, in one step. */
const MOST_NAMED = 10;

/** The first notices of each kind are given as they are, the others as a count. Those of own orders are all given. */
export function summedUp(notices: readonly Notice[]): readonly Notice[] {
  const counts = new Map<string, number>();
  const given: Notice[] = [];
  for (const each of notices) {
    const kind = `${each.level} ${each.op}`;
    const count = each.intentId === undefined ? (counts.get(kind) ?? 0) + 1 : 0;
    if (count > 0) counts.set(kind, count);
    if (count <= MOST_NAMED) given.push(each);
  }
  return [...given, ...restOf(notices, counts)];
}

function restOf(notices: readonly Notice[], counts: ReadonlyMap<string, number>): readonly Notice[] {
  return [...counts].flatMap(([kind, count]) => {
    const first = notices.find(({ level, op }) => `${level} ${op}` === kind);
    if (count <= MOST_NAMED || first === undefined) return [];
    const { level, op } = first;
    return [{ level, op, message: `${count - MOST_NAMED} more like the ${MOST_NAMED} before, from the same answer.` }];
  });
}
