// Whether notification channels have distinct names, filter known ops, and send no secret unencrypted.
import { KNOWN_OPS } from '../../base/message.ts';
import { isLoopback } from '../fields.ts';
import type { ChannelSection } from '../notify/notify-section.ts';
import { type Complaints, type Judged, type Say, sayIn } from './judged.ts';

export function* notifyComplaints(judged: Judged): Complaints {
  const channels = judged.configuration.notify?.channels ?? [];
  for (const [index, channel] of channels.entries()) {
    const say = sayIn(judged, 'notify', 'channels', index);
    const first = channels.findIndex(({ name }) => name === channel.name);
    if (first < index) yield say(['name'], `${channel.name} is the name of channels[${first}] already.`);
    for (const key of ['only', 'except'] as const)
      for (const op of (channel[key] ?? []).filter((each) => !KNOWN_OPS.has(each)))
        yield say([key], `nothing is called ${JSON.stringify(op)}; ops are named as in the log (${nearest(op)}).`);
    yield* secretComplaints(channel, say);
    if (!takesCommands(channel)) continue;
    const other = channels.findIndex(takesCommands);
    if (other < index) yield say(['commands'], `channels[${other}] takes the commands already; one chat can.`);
    if (channel.chatId.startsWith('@')) yield say(['chatId'], NO_CHANNEL);
  }
}

/** Whether people in its chat command the bot. */
export const takesCommands = (channel: ChannelSection): channel is Extract<ChannelSection, { form: 'telegram' }> =>
  channel.form === 'telegram' && channel.commands;

const NO_CHANNEL = 'commands need the number of a chat with people; posts of a channel name no author.';

/** Ops with the same beginning, or else some that everybody wants. */
function nearest(op: string): string {
  const alike = [...KNOWN_OPS].filter((known) => known.slice(0, 3) === op.slice(0, 3));
  return `${(alike.length > 0 ? alike : ['symbol-halted', 'latched', 'fatal']).slice(0, 5).join(', ')} …`;
}

/** Refuses to send secrets unencrypted; texts without secrets may be sent as the owner likes. */
function* secretComplaints(channel: ChannelSection, say: Say): Complaints {
  switch (channel.form) {
    case 'webhook':
    case 'alertmanager':
      if (typeof channel.url === 'string' && channel.token !== undefined && isOpen(channel.url))
        yield say(['url'], inTheClear('token'));
      return;
    case 'ntfy': {
      const what = channel.token !== undefined ? 'token' : typeof channel.topic === 'string' ? null : 'topic';
      if (what !== null && isOpen(channel.server)) yield say(['server'], inTheClear(what));
      return;
    }
    case 'email': {
      const { user, password, tls, host } = channel;
      if ((user === undefined) !== (password === undefined))
        yield say([user === undefined ? 'password' : 'user'], 'user and password belong together.');
      else if (password !== undefined && tls === 'none' && !isLoopback(host))
        yield say(['tls'], inTheClear('password'));
    }
  }
}

function inTheClear(what: 'token' | 'topic' | 'password'): string {
  const remedy = what === 'password' ? 'starttls or implicit' : 'https';
  return `the ${what} would be sent in the clear to another machine; ${remedy} is needed.`;
}

/** HTTP without TLS to another machine. */
export function isOpen(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.protocol === 'http:' && !isLoopback(url.hostname);
}
