// Q13 and Q18: which paths of the legacy interface answer, and whether it counts requests apart from the public one.
import { type Answer, about, type Topic } from '../facts/answer.ts';
import { counted, type Finding, open } from '../facts/finding.ts';
import { answeredWith } from '../facts/json-body.ts';
import { legacyScope } from '../rates/legacy-scope.ts';

type LegacyPaths = 'versioned' | 'sample';

const OK = 200;
const THROTTLED = 429;

/** `configured`: the paths that the program uses. */
export function legacyFindings(answers: readonly Answer[], configured: LegacyPaths): readonly Finding[] {
  return [pathsFinding(answers, configured), scopeFinding(answers)];
}

function pathsFinding(answers: readonly Answer[], configured: LegacyPaths): Finding {
  const question = { id: 'legacy-paths', question: 'Q13 legacy depth and trades' };
  const state = (topics: readonly Topic[]): boolean | null => {
    const asked = topics.flatMap((topic) => about(answers, topic)).filter(({ status }) => isTelling(status));
    return asked.length === 0 ? null : asked.every(({ status }) => status === OK);
  };
  const versioned = state(['legacy-depth', 'legacy-trades']);
  const sample = state(['legacy-depth-sample', 'legacy-trades-sample']);
  const all = (['legacy-depth', 'legacy-depth-sample', 'legacy-trades', 'legacy-trades-sample'] as const)
    .flatMap((topic) => about(answers, topic))
    .map((answer) => `${PATHS[answer.topic] ?? answer.topic}: ${answeredWith(answer)}`);
  if (versioned === null && sample === null) return open(question, all.join('; ') || 'They were not asked.');
  const finding =
    versioned && sample ? 'both' : versioned ? 'versioned (/api/v2/…)' : sample ? 'sample (/api/…)' : 'neither answers';
  const value = versioned && sample ? 'both' : versioned ? 'versioned' : sample ? 'sample' : 'neither';
  const whole = versioned !== null && sample !== null;
  const isOther = (value === 'versioned' || value === 'sample') && value !== configured;
  return {
    ...question,
    finding,
    value,
    evidence: all.join('; '),
    confidence: whole ? 'proved' : 'likely',
    ...(isOther && whole && { setting: { at: 'configuration', path: ['venue', 'legacyPaths'], value } as const }),
  };
}

const PATHS: Partial<Record<Topic, string>> = {
  'legacy-depth': '/api/v2/depth',
  'legacy-depth-sample': '/api/depth',
  'legacy-trades': '/api/v2/trades',
  'legacy-trades-sample': '/api/trades',
};

/** A request that was throttled or lost says nothing about its path. */
const isTelling = (status: number | null): boolean => status !== null && status !== THROTTLED && status < 500;

function scopeFinding(answers: readonly Answer[]): Finding {
  const question = { id: 'legacy-limit', question: 'Q18 limit of the legacy interface' };
  const legacy = answers.filter(({ lane, status }) => lane === 'legacy' && status !== null);
  if (legacy.length === 0) return open(question, 'It was not asked.');
  const { scope, pairs, contradict } = legacyScope(answers);
  if (scope === null) {
    const counters = legacy.filter(({ headers }) => headers.remaining !== undefined).length;
    const said = `${counters} of ${counted(legacy.length, 'legacy answer')} carry counters`;
    const why = contradict ? 'neighbors contradict each other' : 'no two neighbors fell into one window';
    return open(question, `${said}; ${why}. Count it as shared.`);
  }
  return {
    ...question,
    finding: scope === 'shared' ? 'shared with the public one' : 'its own',
    value: scope,
    evidence:
      `${counted(pairs, 'pair')} of neighbors, one of each interface, in one window: the counter ` +
      `${scope === 'shared' ? 'went on' : 'was another one'}`,
    confidence: pairs > 1 ? 'proved' : 'likely',
  };
}
