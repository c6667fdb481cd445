// What became of messages to people, by channel.
import { type EpochMs, SECOND } from '../../domain/time.ts';
import { OUTCOMES } from '../../notify/state.ts';
import type { ChannelStatus } from '../notify/notifier.ts';
import type { BotStatus } from '../status/bot-status.ts';
import type { Reading, StatusMetric } from './from-status.ts';

const ofEach =
  (value: (channel: ChannelStatus, status: BotStatus) => number) =>
  (status: BotStatus): Reading[] =>
    status.channels.map((channel) => ({ labels: { channel: channel.name }, value: value(channel, status) }));

const secondsFrom = (from: EpochMs | null, now: EpochMs): number =>
  from === null ? 0 : Math.max(0, now - from) / SECOND;

export const NOTIFY_METRICS: readonly StatusMetric[] = [
  {
    name: 'notifications_total',
    help:
      'Messages to people by what became of them: `sent`; attempts that `failed` or were `refused`; `held-back` by ' +
      'the rate of the channel; `dropped` where the outbox was full.',
    labels: ['channel', 'outcome'],
    read: ({ channels }) =>
      channels.flatMap(({ name, counts }) =>
        OUTCOMES.map((outcome) => ({ labels: { channel: name, outcome }, value: counts[outcome] ?? 0 })),
      ),
  },
  {
    name: 'notifications_waiting',
    help: 'Messages in the outbox.',
    labels: ['channel'],
    read: ofEach(({ waiting }) => waiting),
  },
  {
    name: 'notifications_oldest_age_seconds',
    help: 'How long the oldest of them waits; 0 where none does.',
    labels: ['channel'],
    read: ofEach(({ oldestAt }, { trader }) => secondsFrom(oldestAt, trader.at)),
  },
  {
    name: 'notifications_failing_seconds',
    help: 'How long the channel has taken no messages, or left recipients out; 0 while it works.',
    labels: ['channel'],
    read: ofEach(({ failingSince }, { trader }) => secondsFrom(failingSince, trader.at)),
  },
];
