// Q8: where answers are written otherwise than documented: numbers as text, text as numbers, fields that are missing.
import { ENDPOINTS } from '../../../venue/endpoints.ts';
import type { EndpointName } from '../../../venue/requests.ts';
import { type Answer, good, type Topic } from '../facts/answer.ts';
import { counted, type Finding, open } from '../facts/finding.ts';
import { jsonOf } from '../facts/json-body.ts';

const LEGACY_SAMPLES: Partial<Record<Topic, EndpointName>> = {
  'legacy-depth-sample': 'legacy-depth',
  'legacy-trades-sample': 'legacy-trades',
};
const MOST_SHOWN = 8;

export function shapeFinding(answers: readonly Answer[]): Finding {
  const question = { id: 'shapes', question: 'Q8 types of fields' };
  const judged = answers.flatMap((answer) => {
    const endpoint = endpointOf(answer.topic);
    return endpoint === null || good([answer], answer.topic).length === 0 ? [] : [deviationsOf(answer, endpoint)];
  });
  if (judged.length === 0) return open(question, 'No answer could be read.');
  const deviations = [...new Set(judged.flat())].sort();
  const shown = deviations.slice(0, MOST_SHOWN).join('; ');
  const more = deviations.length > MOST_SHOWN ? `; and ${deviations.length - MOST_SHOWN} more` : '';
  return {
    ...question,
    finding: deviations.length === 0 ? 'as documented' : counted(deviations.length, 'deviation'),
    value: deviations,
    evidence:
      `${counted(judged.length, 'answer')} against the documented ` +
      `shapes${shown === '' ? '' : `: ${shown}${more}`}`,
    confidence: deviations.length === 0 ? 'likely' : 'proved',
  };
}

function endpointOf(topic: Topic): EndpointName | null {
  const known = LEGACY_SAMPLES[topic];
  if (known !== undefined) return known;
  return topic in ENDPOINTS ? (topic as EndpointName) : null;
}

/** `public-trades[].time is not a number`: each kind of deviation once, however many rows have it. */
function deviationsOf(answer: Answer, endpoint: EndpointName): readonly string[] {
  const judged = ENDPOINTS[endpoint].answer.safeParse(jsonOf(answer));
  if (judged.success) return [];
  return judged.error.issues.map((issue) => {
    const isMap = endpoint === 'legacy-tickers' || endpoint === 'legacy-best-prices';
    const steps = issue.path.map((step, depth) =>
      stepWords(step, isMap && depth < (endpoint === 'legacy-tickers' ? 1 : 2)),
    );
    const wanted = issue.code === 'invalid_type' ? `no ${issue.expected}` : 'not as documented';
    return `${endpoint}${steps.join('')}: ${wanted}`;
  });
}

/** Rows and pairs are many: their numbers and names are left out. */
function stepWords(step: PropertyKey, isPair: boolean): string {
  if (typeof step === 'number') return '[]';
  return isPair && String(step) !== 'market' && String(step) !== 'prices' ? '.*' : `.${String(step)}`;
}
