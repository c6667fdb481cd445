// Behavior of a run's exchange where the specification is silent (Q1–Q24 of the field notes): drawn from its seed, or
// chosen by name.
import { chance, pick, randomStream } from '../../src/crowd/random.ts';
import { fail, ok, type Result } from '../../src/domain/result.ts';
import type { EngineSettings } from '../../src/matching/types.ts';
import {
  isQuirkName,
  QUIRK_NAMES,
  type Quirks,
  quirkChangesSchema,
  quirkChoices,
  quirkOfText,
  SPEC_QUIRKS,
} from '../../src/paper/wire/quirks.ts';

/** Choices of the matching engine (Q9, Q10, Q11), fixed for an exchange. */
const ENGINE_CHOICES = {
  crossing: ['takes', 'rejected'],
  selfTrade: ['reject', 'allow', 'cancel-resting'],
  rounding: ['half-up', 'floor'],
} as const satisfies { readonly [Name in keyof EngineSettings]?: readonly EngineSettings[Name][] };

type EngineChoice = keyof typeof ENGINE_CHOICES;

/** All choices of the exchange of a run. */
export type VenueChoices = Quirks & Pick<EngineSettings, EngineChoice>;

type Others = { readonly [Name in keyof VenueChoices]?: readonly VenueChoices[Name][] };

/** Alternatives to the plainest reading. */
const OTHERS: Others = {
  tradeListOrder: ['oldest-first', 'unordered'],
  fromIdPage: ['newest'],
  tradePage: ['oldest'],
  cancelOfClosed: ['rejected'],
  insufficientFunds: ['code', 'failure'],
  recvWindowChecked: ['both'],
  creationsDuringCancel: ['canceled'],
  codeAs: ['string'],
  tradeIdAs: ['string'],
  timeAs: ['string'],
  rateHeaders: ['when-throttled', 'never'],
  retryAfter: ['date', 'missing'],
  orderBookCap: [20],
};

/** Alternatives added later. */
const LATER_OTHERS: Others = {
  transferListOrder: ['oldest-first', 'unordered'],
  transferPage: ['oldest'],
  lockedIncludes: ['trading'],
  crossing: ['rejected'],
  selfTrade: ['cancel-resting'],
  rounding: ['floor'],
};

const OTHER_SHARE = 1 / 6;

/** Each choice differs from the plainest reading in a sixth of the seeds, drawn from a stream of its own. */
export function drawChoices(seed: string, firstKinds: boolean): Partial<VenueChoices> {
  const drawn = Object.entries(firstKinds ? OTHERS : { ...OTHERS, ...LATER_OTHERS }).flatMap(([name, others]) => {
    const stream = randomStream(seed, `quirk.${name}`);
    return chance(stream, OTHER_SHARE) ? [[name, others[pick(stream, others.length)]] as const] : [];
  });
  return Object.fromEntries(drawn) as Partial<VenueChoices>;
}

interface Venue {
  readonly quirks: Quirks;
  readonly engine: Pick<EngineSettings, EngineChoice>;
}

/** All choices, each in its part of the exchange's settings; absent ones are the plainest reading. */
export function venueOf(choices: Partial<VenueChoices>): Venue {
  const { crossing = 'takes', selfTrade = 'reject', rounding = 'half-up', ...quirks } = choices;
  return { quirks: { ...SPEC_QUIRKS, ...quirks }, engine: { crossing, selfTrade, rounding } };
}

/** A choice from a command line, `name=value`; or a sentence that names the known ones. */
export function readChoice(text: string): Result<readonly [name: string, value: unknown]> {
  const at = text.indexOf('=');
  const [name, value] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  if (isEngineChoice(name)) {
    const known: readonly string[] = ENGINE_CHOICES[name];
    return known.includes(value)
      ? ok([name, value])
      : fail(unknownValue(text, known.map((each) => `\`${each}\``).join(', ')));
  }
  if (!isQuirkName(name)) {
    const known = [...Object.keys(ENGINE_CHOICES), ...QUIRK_NAMES].join(', ');
    return fail(`--quirk ${text}: there is no quirk "${name}"; known are ${known}.`);
  }
  const read = quirkChangesSchema.safeParse({ [name]: quirkOfText(value) });
  return read.success ? ok([name, read.data[name]]) : fail(unknownValue(text, quirkChoices(name)));
}

const isEngineChoice = (name: string): name is EngineChoice => Object.hasOwn(ENGINE_CHOICES, name);

const unknownValue = (text: string, known: string): string => `--quirk ${text}: what it may be is ${known}.`;
