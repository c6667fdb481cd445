// Q8, N2, N7: how errors look: the type of `code`, and what answers where no endpoint is.

import { isObject } from '../../../venue/parsers/fields.ts';
import { type Answer, about } from '../facts/answer.ts';
import { type Finding, open } from '../facts/finding.ts';
import { answeredWith, codeOf, jsonOf } from '../facts/json-body.ts';

const LIMIT_OUTSIDE_RANGE = -1105;

export function errorFindings(answers: readonly Answer[]): readonly Finding[] {
  return [codeTypeFinding(answers), unknownPathFinding(answers)];
}

/** From every error that was met; the one that was asked for comes first. */
function codeTypeFinding(answers: readonly Answer[]): Finding {
  const question = { id: 'code-type', question: 'N2, Q8 type of the error code' };
  const errors = [...about(answers, 'limit-51'), ...answers].filter((answer) => codeOf(answer) !== null);
  const [first] = errors;
  if (first === undefined) return open(question, whyNone(answers));
  const types = [...new Set(errors.map(typeOfCode))];
  const expected = codeOf(first) === LIMIT_OUTSIDE_RANGE;
  return {
    ...question,
    finding: types.join(' and '),
    value: types.length === 1 ? (types[0] ?? null) : types,
    evidence:
      `${first.topic === 'limit-51' ? 'limit=51' : first.topic} was answered ` +
      `${answeredWith(first)}${expected || first.topic !== 'limit-51' ? '' : ', where -1105 is documented'}`,
    confidence: 'proved',
  };
}

function whyNone(answers: readonly Answer[]): string {
  const [asked] = about(answers, 'limit-51');
  return asked === undefined ? 'No error was met.' : `limit=51 was answered ${answeredWith(asked)}.`;
}

function typeOfCode(answer: Answer): string {
  const json = jsonOf(answer);
  return isObject(json) ? typeof json.code : 'none';
}

function unknownPathFinding(answers: readonly Answer[]): Finding {
  const question = { id: 'unknown-path', question: 'N7 an unknown path' };
  const [answer] = about(answers, 'unknown-path');
  if (answer === undefined || answer.status === null) return open(question, answer?.fault ?? 'It was not asked.');
  const code = codeOf(answer);
  const body = code === null ? `a body of type ${answer.headers.contentType ?? 'unknown'}` : 'the body of every error';
  return {
    ...question,
    finding: answeredWith(answer),
    value: { status: answer.status, code },
    evidence: `one request to a path that is not documented; ${body}`,
    confidence: 'proved',
  };
}
