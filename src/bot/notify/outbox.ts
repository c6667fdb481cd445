// Notified problems and unsent messages, kept in the state folder as one file, written whole. A process that ends
// at any time loses none; a power cut may lose the last moments.
import { renameSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { writeWhole } from '../base/durable-file.ts';
import type { Speaker } from '../base/message.ts';
import { readStateFile } from '../base/private-file.ts';
import { systemCode } from '../base/system-error.ts';
import { channelSchema, deliveryKey, deliverySchema, type NotifyState, problemKey, problemSchema } from './state.ts';

export const outboxFile = (stateFolder: string, owner: Speaker['process']): string =>
  path.join(stateFolder, `notify-${owner}.json`);

const outboxSchema = z.object({
  origin: z.string().regex(/^[0-9a-z]+$/),
  next: z.int().min(1),
  problems: z.array(problemSchema),
  waiting: z.array(deliverySchema),
  channels: z.record(z.string(), channelSchema),
});

export const emptyOutbox = (origin: string): NotifyState => ({
  ...{ origin, next: 1 },
  ...{ problems: new Map(), waiting: new Map(), channels: new Map() },
});

/** Null if there is none, or if it is damaged: then it is moved aside, and `damaged` gets its new name. */
export function readOutbox(file: string, damaged: (aside: string) => void): NotifyState | null {
  try {
    const { problems, waiting, channels, ...counted } = outboxSchema.parse(JSON.parse(readStateFile('outbox', file)));
    return {
      ...counted,
      problems: new Map(problems.map((each) => [problemKey(each.op, each.symbol), each])),
      waiting: new Map(waiting.map((each) => [deliveryKey(each), each])),
      channels: new Map(Object.entries(channels)),
    };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    const aside = `${file}.damaged`;
    renameSync(file, aside);
    damaged(aside);
    return null;
  }
}

/** Throws system errors. */
export function writeOutbox(file: string, { origin, next, problems, waiting, channels }: NotifyState): void {
  const lists = { problems: [...problems.values()], waiting: [...waiting.values()] };
  writeWhole(file, JSON.stringify({ origin, next, ...lists, channels: Object.fromEntries(channels) }));
}

/** Whether both are the same in the file; an unchanged part is the same object. */
export const isSameOutbox = (one: NotifyState, other: NotifyState): boolean =>
  one.next === other.next &&
  one.problems === other.problems &&
  one.waiting === other.waiting &&
  one.channels === other.channels;
