// What a probe says of itself: who was asked, how much, and what was left out; as lines, and with the findings as JSON.
import { realClock } from '../../../ports/clock.ts';
import { PROGRAM, VERSION } from '../../base/program.ts';
import { type AccountNamed, accountLine, accountNamed } from '../../keys/account-named.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Answer } from '../facts/answer.ts';
import { counted, type Finding } from '../facts/finding.ts';
import type { Talk } from '../talk/venue-talk.ts';
import type { Written } from './write-configuration.ts';

/** Who was asked, how much, and what was not. */
export function headLines(talk: Talk, settings: Settings, hasKeys: boolean): readonly string[] {
  const { venue } = settings;
  const answers = talk.answers();
  const of = (lane: Answer['lane']): number => answers.filter((answer) => answer.lane === lane).length;
  const when = new Date(realClock.now()).toISOString().slice(0, 16).replace('T', ' ');
  const left = talk.unasked();
  const why = [...new Set(left.map((each) => each.why))].join(', ');
  return [
    `${PROGRAM} probe ${VERSION} asked ${venue.baseUrl} on ${when} UTC: ${of('public')} public, ${of('legacy')} ` +
      `legacy and ${counted(of('private'), 'private request')}, reads only.`,
    accountLine(accountNamed(settings)),
    ...(venue.legacyBaseUrl === null ? ['The legacy interface was not asked: venue.legacyBaseUrl is not set.'] : []),
    ...(hasKeys
      ? []
      : [
          'No keys are set. With them it also finds what the key may do, the private rate limit, order and pages ' +
            'of own lists, fees and withheld tax, and what `locked` holds.',
        ]),
    ...(left.length > 0
      ? [`Not asked (${why}): ${[...new Set(left.map(({ question }) => question.topic))].join(', ')}.`]
      : []),
  ];
}

interface Outcome {
  readonly named: AccountNamed;
  readonly findings: readonly Finding[];
  readonly written: Written | null;
  readonly hasKeys: boolean;
}

/** The same for programs, findings and all. */
export function asJson(talk: Talk, { named, findings, written, hasKeys }: Outcome): object {
  const lanes = talk.answers().map(({ lane }) => lane);
  const of = (lane: Answer['lane']): number => lanes.filter((each) => each === lane).length;
  return {
    ...named,
    requests: { public: of('public'), legacy: of('legacy'), private: of('private') },
    keys: hasKeys,
    unasked: talk.unasked().map(({ question, why }) => ({ topic: question.topic, symbol: question.symbol, why })),
    findings,
    written: written && {
      file: written.file,
      applied: written.applied.map(({ setting }) => setting),
      refused: written.refused.map(({ change, why }) => ({ ...change.setting, why })),
    },
  };
}
