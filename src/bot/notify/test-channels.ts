// `notify test`: one message through each channel, past every rule of who is told what, and what came back.
import { randomBytes } from 'node:crypto';
import type { Message } from '../../notify/message.ts';
import { realClock } from '../../ports/clock.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import type { Environment } from '../keys/keys.ts';
import type { Settings } from '../settings/types.ts';
import { type Channel, openChannels, speakerOf } from './channels.ts';

export interface TestResult {
  readonly channel: string;
  readonly form: Channel['form'];
  /** For all that the channel sends to. */
  readonly taken: boolean;
  /** What came back, in words. */
  readonly answer: string;
  readonly ms: number;
}

/**
 * `only`: the name of one channel; null for all. Throws `StartError`: 64 where there is no such channel, or none at
 * all; 78 for a secret that is missing or no good.
 */
export async function testChannels(
  settings: Settings,
  environment: Environment,
  only: string | null,
): Promise<readonly TestResult[]> {
  const names = settings.notify?.channels.map(({ name }) => name) ?? [];
  if (names.length === 0)
    throw new StartError(EXIT.usage, 'The configuration has no section `notify`: nobody is told.');
  if (only !== null && !names.includes(only))
    throw new StartError(EXIT.usage, `There is no channel ${only}; there are ${names.join(', ')}.`);
  const { channels } = openChannels(settings, environment, speakerOf(settings, 'bot'));
  try {
    return await Promise.all(channels.filter(({ name }) => only === null || name === only).map(testOne));
  } finally {
    for (const { sender } of channels) sender.close();
  }
}

async function testOne({ name, form, sender }: Channel): Promise<TestResult> {
  const from = realClock.monotonic();
  const now = realClock.now();
  const message: Message = {
    ...{ id: `test-${randomBytes(4).toString('hex')}`, kind: 'test', severity: 'page', op: 'test', symbol: null },
    ...{ since: now, at: now },
    text: 'A test: nothing has happened. A message that wakes you would look like this one.',
  };
  const sent = await sender.send(message);
  const taken = sent.kind === 'sent' && sent.without === undefined;
  return { channel: name, form, taken, answer: sent.answer, ms: Math.round(realClock.monotonic() - from) };
}
