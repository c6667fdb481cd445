// Pages and order of the lists of public trades, of both interfaces.
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from '../../../venue/bounds.ts';
import { type Answer, good, type Topic } from '../facts/answer.ts';
import { counted, type Finding, open } from '../facts/finding.ts';
import { rowsOf } from '../facts/json-body.ts';
import { rowOrder } from '../facts/list-order.ts';
import { timeOf } from '../facts/seen-times.ts';

interface List {
  readonly name: string;
  readonly topics: readonly Topic[];
  readonly timeField: string;
}

const PUBLIC: List = { name: 'public trades', topics: ['public-trades'], timeField: 'time' };
const LEGACY: List = {
  name: 'legacy trades',
  topics: ['legacy-trades', 'legacy-trades-sample'],
  timeField: 'created_at',
};

export function listFindings(answers: readonly Answer[]): readonly Finding[] {
  const legacy = LEGACY.topics.some((topic) => good(answers, topic).length > 0);
  return [pageFinding(answers), orderFinding(answers, PUBLIC), ...(legacy ? [orderFinding(answers, LEGACY)] : [])];
}

/** Full pages tell; a short one may be all there is. The legacy list takes no limit. */
function pageFinding(answers: readonly Answer[]): Finding {
  const question = { id: 'trades-page', question: `page of public trades, limit=${LIST_LIMIT_MAX} asked` };
  const pages = good(answers, 'public-trades').map((answer) => rowsOf(answer).length);
  if (pages.length === 0) return open(question, 'No list could be read.');
  const most = Math.max(...pages);
  const evidence = `${counted(pages.length, 'page')} of ${pages.join(', ')} rows`;
  if (most >= LIST_LIMIT_MAX) {
    const finding = most === LIST_LIMIT_MAX ? `${most} rows, as documented` : `${most} rows, more than asked`;
    return { ...question, finding, value: most, evidence, confidence: 'proved' };
  }
  const full = pages.filter((rows) => rows === LIST_LIMIT_DEFAULT).length;
  if (most === LIST_LIMIT_DEFAULT && full > 1) {
    return { ...question, finding: `${most} rows, less than asked`, value: most, evidence, confidence: 'suspected' };
  }
  return open(question, `${evidence}: the list may end there`);
}

function orderFinding(answers: readonly Answer[], { name, topics, timeField }: List): Finding {
  const question = { id: `order.${topics[0]}`, question: `order of ${name}` };
  const pages = topics
    .flatMap((topic) => good(answers, topic))
    .map((answer) => rowsOf(answer).flatMap((row) => timeOf(row, timeField) ?? []));
  const orders = pages.map((times) => rowOrder(times, (a, b) => a - b)).filter((order) => order !== null);
  const [first] = orders;
  if (first === undefined) return open(question, 'No page has rows of different times.');
  const finding = orders.every((order) => order === first) ? first : 'unordered';
  const rows = pages.reduce((sum, times) => sum + times.length, 0);
  return {
    ...question,
    finding,
    value: finding,
    evidence: `${counted(rows, 'row')} in ${counted(orders.length, 'page')}, by their times`,
    confidence: rows > 3 || finding === 'unordered' ? 'proved' : 'likely',
  };
}
