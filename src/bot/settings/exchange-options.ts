// Options of `exchange` that replace parts of the configuration, checked and applied to the settings.

import { refusalsOf } from '../../paper/control/sentences.ts';
import { PROFILES, type ProfileName, profileWith } from '../../paper/state/settings.ts';
import type { Quirks } from '../../paper/wire/quirks.ts';
import { isQuirkName, QUIRK_NAMES, quirkChangesSchema, quirkOfText } from '../../paper/wire/quirks.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import { CONTROL_PORT_DEFAULT } from './paper-section.ts';
import type { PaperExchangeSettings, Settings } from './types.ts';

/** The exchange's behavior. */
interface Behavior {
  /** Replaces the configuration's profile, quirks and rate limits. */
  readonly profile?: ProfileName;
  /** `name=value`: single quirks on top of the profile. */
  readonly quirk?: readonly string[];
}

/** As commander parses them. */
export interface ExchangeOptions extends Behavior {
  /** A port; `true` means the configured one, or the default. */
  readonly control?: string | true;
}

/** The settings with the command line's changes. Throws `StartError` (64) for invalid options. */
export function withExchangeOptions(settings: Settings, options: ExchangeOptions): Settings {
  const { paper } = settings;
  if (paper === null) return settings;
  const { profile, control } = options;
  const behavior = profile === undefined ? paper : { ...paper, profile, ...profileWith(profile, {}) };
  const changed: PaperExchangeSettings = { ...behavior, quirks: withQuirks(behavior.quirks, options) };
  if (control === undefined) return { ...settings, paper: changed };
  const port = control === true ? (paper.control?.port ?? CONTROL_PORT_DEFAULT) : portOf('--control', control);
  return { ...settings, paper: { ...changed, control: { port } } };
}

/** The quirks of a profile or a configuration, overridden by the command line. */
export function withQuirks(quirks: Quirks, { quirk = [] }: Behavior): Quirks {
  return Object.assign({}, quirks, ...quirk.map(quirkOf));
}

/** Quirks that differ from the profile's: `codeAs=number`. */
export function changedQuirks({
  profile,
  quirks,
}: Pick<PaperExchangeSettings, 'profile' | 'quirks'>): readonly string[] {
  return QUIRK_NAMES.filter((name) => quirks[name] !== PROFILES[profile].quirks[name]).map(
    (name) => `${name}=${quirks[name]}`,
  );
}

function quirkOf(text: string): Partial<Quirks> {
  const cut = text.indexOf('=');
  const name = cut < 0 ? text : text.slice(0, cut);
  if (!isQuirkName(name)) throw refusal(`--quirk: there is no "${name}"; there are ${QUIRK_NAMES.join(', ')}.`);
  if (cut < 0) throw refusal(`--quirk: ${name} needs a value: --quirk ${name}=value.`);
  const given = { [name]: quirkOfText(text.slice(cut + 1)) };
  const judged = quirkChangesSchema.safeParse(given);
  if (judged.success) return judged.data;
  throw refusal(
    refusalsOf(judged.error.issues, given)
      .map(({ sentence }) => `--quirk ${sentence}`)
      .join(' '),
  );
}

export function portOf(option: string, text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw refusal(`${option}: "${text}" is not a port, a whole number from 0 to 65535.`);
}

export const refusal = (sentence: string): StartError => new StartError(EXIT.usage, sentence);
