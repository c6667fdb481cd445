// Q16: how far back the lists without `historical` in their path reach, from their oldest rows and the newest archived
// ones.
import { DAY, type DurationMs, type EpochMs, HOUR } from '../../../domain/time.ts';
import { LIST_LIMIT_DEFAULT } from '../../../venue/bounds.ts';
import { timeField } from '../../../venue/parsers/fields.ts';
import { type Answer, good, type Topic } from '../facts/answer.ts';
import { counted, type Finding, open } from '../facts/finding.ts';
import { rowsOf } from '../facts/json-body.ts';

const LISTS: readonly Topic[] = [
  'spot-trades',
  'crypto-deposits',
  'crypto-withdrawals',
  'fiat-deposits',
  'fiat-withdrawals',
];
const ARCHIVE = {
  'spot-trades': 'spot-trades-historical',
  'crypto-deposits': 'crypto-deposits-historical',
  'crypto-withdrawals': 'crypto-withdrawals-historical',
  'fiat-deposits': 'fiat-deposits-historical',
  'fiat-withdrawals': 'fiat-withdrawals-historical',
} as const;

/** Stated times may be off by some hours (N5): what is nearer to a bound than this proves nothing. */
const TIME_SLACK_MS: DurationMs = 15 * HOUR;

export function windowFindings(answers: readonly Answer[]): readonly Finding[] {
  const asked = LISTS.filter((topic) => good(answers, topic).length > 0);
  return asked.map((topic) => windowFinding(answers, topic));
}

function windowFinding(answers: readonly Answer[], topic: Topic): Finding {
  const question = { id: `window.${topic}`, question: `Q16 how far ${topic} reach back` };
  const listed = agesOf(good(answers, topic));
  const archive = archiveOf(topic);
  const archived = archive === null ? null : agesOf(good(answers, archive));
  if (listed.rows === 0) return open(question, 'The list is empty.');
  const atLeastMs = listed.oldest;
  const atMostMs = archived === null || archived.rows === 0 ? null : archived.newest;
  const evidence = [
    `${counted(listed.rows, 'row')}, the oldest ${age(listed.oldest)} old`,
    ...(listed.rows >= LIST_LIMIT_DEFAULT ? ['the page may be cut before the window ends'] : []),
    ...(archived === null || archived.rows === 0 ? [] : [`the newest archived row is ${age(archived.newest)} old`]),
  ].join('; ');
  const bounded = atMostMs !== null && atMostMs > atLeastMs + TIME_SLACK_MS;
  return {
    ...question,
    finding: bounded ? `${age(atLeastMs)} to ${age(atMostMs)}` : `at least ${age(atLeastMs)}`,
    value: { atLeastMs, atMostMs: bounded ? atMostMs : null },
    evidence,
    confidence: bounded ? 'likely' : 'suspected',
  };
}

const archiveOf = (topic: Topic): Topic | null => (topic in ARCHIVE ? ARCHIVE[topic as keyof typeof ARCHIVE] : null);

interface Ages {
  readonly rows: number;
  readonly oldest: DurationMs;
  readonly newest: DurationMs;
}

function agesOf(answers: readonly Answer[]): Ages {
  const ages = answers.flatMap((answer) =>
    rowsOf(answer).flatMap((row) => {
      const at = timeField(row, 'time');
      return at.ok ? [ageAt(at.value, answer.receivedAt)] : [];
    }),
  );
  return { rows: ages.length, oldest: Math.max(0, ...ages), newest: ages.length === 0 ? 0 : Math.min(...ages) };
}

const ageAt = (at: EpochMs, now: EpochMs): DurationMs => Math.max(0, now - at);

function age(ms: DurationMs): string {
  return ms < 2 * DAY ? `${Math.round(ms / HOUR)} h` : `${Math.round(ms / DAY)} days`;
}
