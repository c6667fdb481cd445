// What a person can do from the page about what needs one: offered as a button beside the sentence.
import { isJumpHalt } from '../../trader/knowledge/knowledge-of.ts';
import { needsNoStart } from '../../trader/observe/resume.ts';
import type { SymbolView } from '../../trader/status/snapshot.ts';

export interface Remedy {
  readonly command: 'resume';
  readonly symbol: string;
  /** After a jump a person says which price is right. */
  readonly needsPrice: boolean;
}

/** Null where nothing holds the symbol, or only a start can look into its halt. */
export function remedyOf({ symbol, risk }: Pick<SymbolView, 'symbol' | 'risk'>): Remedy | null {
  const { halt, locks, isQuestionOver } = risk;
  if (halt !== null && !needsNoStart(halt.code, isQuestionOver)) return null;
  if (halt === null && locks.length === 0) return null;
  return { command: 'resume', symbol, needsPrice: halt !== null && isJumpHalt(halt.reason) };
}
