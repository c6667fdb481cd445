// What the key may do: one read for each permission (specification 5.2), and what a refusal means.
import type { Permission } from '../../../venue/endpoints.ts';
import { keyTrouble } from '../../keys/key-trouble.ts';
import { type Answer, about, type Topic } from '../facts/answer.ts';
import { type Finding, open } from '../facts/finding.ts';
import { answeredWith, codeOf } from '../facts/json-body.ts';

/** The read that shows each permission. */
const SHOWN_BY: readonly (readonly [Permission, Topic])[] = [
  ['wallet', 'wallet'],
  ['orders', 'open-orders'],
  ['trades', 'spot-trades'],
];

const OK = 200;

export function permissionFindings(answers: readonly Answer[], apiKeyHeader: string): readonly Finding[] {
  return SHOWN_BY.map(([permission, topic]) => {
    const question = { id: `permission.${permission}`, question: `permission for ${permission}` };
    const asked = about(answers, topic).filter(({ status }) => status !== null);
    const answer = asked.find(({ status }) => status === OK) ?? asked[0];
    if (answer === undefined) return open(question, 'It was not asked.');
    const evidence = `${topic} was answered ${answeredWith(answer)}`;
    if (answer.status === OK) return { ...question, finding: 'granted', value: true, evidence, confidence: 'proved' };
    const trouble = keyTrouble(codeOf(answer) ?? 0, permission, apiKeyHeader);
    if (trouble === null) return open(question, `${evidence}, which says nothing about the key`);
    return {
      ...question,
      finding: trouble.reach === 'whole' ? 'the key is refused' : 'not granted',
      value: false,
      evidence: `${evidence}: ${trouble.advice}`,
      confidence: 'proved',
    };
  });
}

/** Q22: the two forms of a signed `BTC/INR`. Only a refusal of one and a success of the other tells. */
export function signatureFinding(answers: readonly Answer[], configured: 'raw' | 'encoded'): Finding {
  const question = { id: 'percent-encoding', question: 'Q22 what is signed of BTC/INR' };
  const of = (topic: Topic): Answer | undefined => about(answers, topic).find(({ status }) => status !== null);
  const [usual, other] = [of('spot-trades'), of('spot-trades-encoded')];
  const alternative = configured === 'raw' ? 'encoded' : 'raw';
  if (usual?.status === OK) {
    return {
      ...question,
      finding: `${configured}, as configured, is accepted`,
      value: configured,
      evidence: 'a signed request with a symbol was answered; the other form was not tried',
      confidence: 'proved',
    };
  }
  if (other?.status === OK) {
    return {
      ...question,
      finding: alternative,
      value: alternative,
      evidence: `signed ${configured} it was refused, signed ${alternative} it was answered`,
      confidence: 'proved',
      setting: { at: 'configuration', path: ['venue', 'signature', 'percentEncoding'], value: alternative },
    };
  }
  return open(question, usual === undefined ? 'It was not asked.' : `spot-trades was answered ${answeredWith(usual)}`);
}
