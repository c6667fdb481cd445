// The bot's side of notifications: its channels are opened before anything starts, its log is listened to.
import { realClock } from '../../ports/clock.ts';
import type { Log } from '../base/log.ts';
import type { Environment } from '../keys/keys.ts';
import { type Channels, openChannels, rulesOf, speakerOf } from '../notify/channels.ts';
import { heard, NO_NOTIFIER, type Notifier, startNotifier } from '../notify/notifier.ts';
import { outboxFile } from '../notify/outbox.ts';
import type { Settings } from '../settings/types.ts';
import { botTraits, type Seen } from './bot-traits.ts';

/** Throws `StartError` (78) for a secret that is missing or no good. */
export const openBotChannels = (settings: Settings, environment: Environment): Channels =>
  openChannels(settings, environment, speakerOf(settings, 'bot'));

export interface Listening {
  readonly notifier: Notifier;
  /** What is written there is told, too. */
  readonly log: Log;
}

/** `look`: what decides whether something is over; null before the trading has begun. */
export function listenTo(
  log: Log,
  settings: Settings,
  more: { channels: Channels; look: () => Seen | null },
): Listening {
  const { channels, look } = more;
  if (settings.notify === null) return { notifier: NO_NOTIFIER, log };
  for (const secret of channels.secrets) log.registerSecret(secret);
  const notifier = startNotifier({
    rules: rulesOf(settings.notify),
    channels: channels.channels,
    outboxFile: outboxFile(settings.stateFolder, 'bot'),
    traits: botTraits(look),
    clock: realClock,
    log,
  });
  return { notifier, log: heard(log, notifier) };
}
