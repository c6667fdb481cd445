// Prints the result of a probe, as lines for a person and as JSON for programs: requests, findings, open questions, and
// the resulting settings.
import { realClock } from '../../ports/clock.ts';
import { inColumns } from '../base/columns.ts';
import { PROGRAM, VERSION } from '../base/program.ts';
import { accountLine, accountNamed } from '../keys/account-named.ts';
import type { Settings } from '../settings/settings.ts';
import type { Lane } from './answer.ts';
import { counted, type Finding, type Setting } from './finding.ts';
import type { Talk } from './venue-talk.ts';

const HEADINGS = ['question', 'finding', 'sure', 'evidence'] as const;
/** A longer finding does not widen its column. */
const WIDEST_FINDING = 44;

const sentOn = (talk: Talk, lane: Lane): number => talk.answers().filter((answer) => answer.lane === lane).length;

/** Which exchange was asked, how many requests, and which questions were left out. */
export function headLines(talk: Talk, settings: Settings, hasKeys: boolean): readonly string[] {
  const when = new Date(realClock.now()).toISOString().slice(0, 16).replace('T', ' ');
  const left = talk.unasked();
  const why = [...new Set(left.map((each) => each.why))].join(', ');
  return [
    `${PROGRAM} probe ${VERSION} asked ${settings.venue.baseUrl} on ${when} UTC: ` +
      `${sentOn(talk, 'public')} public and ${counted(sentOn(talk, 'private'), 'private request')}, reads only.`,
    accountLine(accountNamed(settings)),
    ...(hasKeys
      ? []
      : [
          'No keys are set. With them it also finds the private rate limit, times of own lists, the page of open ' +
            'orders, fees and withheld tax.',
        ]),
    ...(left.length > 0
      ? [`Not asked (${why}): ${[...new Set(left.map(({ question }) => question.kind))].join(', ')}.`]
      : []),
  ];
}

/** Answered questions first, then the open ones: nothing is left out. */
export function findingLines(findings: readonly Finding[]): readonly string[] {
  const answered = findings.filter(({ confidence }) => confidence !== 'unknown');
  const still = findings.filter(({ confidence }) => confidence === 'unknown');
  const rows = answered.map(({ question, finding, confidence, evidence }) => [question, finding, confidence, evidence]);
  return [
    ...inColumns([HEADINGS, ...rows], { widest: WIDEST_FINDING }),
    ...(still.length === 0 ? [] : ['', 'Still open:']),
    ...still.map(({ question, finding, evidence }) =>
      finding === 'not known' ? `  ${question}: ${evidence}` : `  ${question}: ${finding}; ${evidence}`,
    ),
  ];
}

/** `lanes.public.requestsPerSecond: 0.3`. */
const settingWords = ({ symbol, path, value }: Setting): string =>
  `${path.join('.')}${symbol === null ? '' : ` of ${symbol}`}: ${value}`;

/** The settings that should change, each once; conflicting findings are listed without a decision. */
export function settingLines(findings: readonly Finding[]): readonly string[] {
  const wanted = findings.flatMap(({ setting }) => (setting === undefined ? [] : [setting]));
  const placeOf = ({ symbol, path }: Setting): string => JSON.stringify([symbol, path]);
  const lines = [...Map.groupBy(wanted, placeOf).values()].flatMap((alike) => {
    const words = [...new Set(alike.map(settingWords))];
    return words.length === 1 ? words : [`${words.join(' or ')}: findings differ, look yourself`];
  });
  if (lines.length === 0) return ['The configuration fits what was found.'];
  return ['Change in the configuration, then run `quotekeeper check`:', ...lines.map((line) => `  ${line}`)];
}

type Outcome = Readonly<{ settings: Settings; findings: readonly Finding[]; hasKeys: boolean }>;

/** The same as JSON for programs. */
export function asJson(talk: Talk, { settings, findings, hasKeys }: Outcome): object {
  return {
    ...accountNamed(settings),
    requests: { public: sentOn(talk, 'public'), private: sentOn(talk, 'private') },
    keys: hasKeys,
    unasked: talk.unasked().map(({ question, why }) => ({
      topic: question.kind,
      symbol: 'symbol' in question ? question.symbol : null,
      why,
    })),
    findings,
  };
}
