// Whether notification channels have distinct names, filter known ops, and send no secret unencrypted.
import { KNOWN_OPS } from '../../base/message.ts';
import { isLoopback } from '../fields.ts';
import type { Complaint, Path } from '../located.ts';
import type { ChannelSection } from '../notify/notify-section.ts';
import { complain, type Judged } from './judged.ts';

export function notifyComplaints(judged: Judged): readonly Complaint[] {
  const channels = judged.configuration.notify?.channels ?? [];
  return channels.flatMap((channel, index) => {
    const at: Path = ['notify', 'channels', index];
    const say = (key: string, words: string): Complaint => complain(judged, [...at, key], words);
    const first = channels.findIndex(({ name }) => name === channel.name);
    return [
      ...(first < index ? [say('name', `${channel.name} is the name of channels[${first}] already.`)] : []),
      ...opComplaints(channel, say),
      ...secretComplaints(channel, say),
    ];
  });
}

type Say = (key: string, words: string) => Complaint;

function opComplaints({ only = [], except }: ChannelSection, say: Say): readonly Complaint[] {
  const unknown = (key: string, ops: readonly string[]): Complaint[] =>
    ops
      .filter((op) => !KNOWN_OPS.has(op))
      .map((op) => say(key, `nothing is called ${JSON.stringify(op)}; ops are named as in the log (${nearest(op)}).`));
  return [...unknown('only', only), ...unknown('except', except)];
}

/** Ops with the same beginning, or else some that everybody wants. */
function nearest(op: string): string {
  const alike = [...KNOWN_OPS].filter((known) => known.slice(0, 3) === op.slice(0, 3));
  return `${(alike.length > 0 ? alike : ['symbol-halted', 'latched', 'fatal']).slice(0, 5).join(', ')} …`;
}

/** Refuses to send secrets unencrypted; texts without secrets may be sent as the owner likes. */
function secretComplaints(channel: ChannelSection, say: Say): readonly Complaint[] {
  switch (channel.form) {
    case 'webhook':
    case 'alertmanager': {
      const isSent = channel.token !== undefined;
      return typeof channel.url === 'string' && isSent && isOpen(channel.url) ? [say('url', inTheClear('token'))] : [];
    }
    case 'ntfy': {
      const what = channel.token !== undefined ? 'token' : typeof channel.topic === 'string' ? null : 'topic';
      return what !== null && isOpen(channel.server) ? [say('server', inTheClear(what))] : [];
    }
    case 'email': {
      const { user, password, tls, host } = channel;
      if ((user === undefined) !== (password === undefined))
        return [say(user === undefined ? 'password' : 'user', 'user and password belong together.')];
      return password !== undefined && tls === 'none' && !isLoopback(host) ? [say('tls', inTheClear('password'))] : [];
    }
    default:
      return [];
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
