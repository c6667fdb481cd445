// What every channel is, whatever its form: somewhere to send one message to.
import type { Message } from '../../../notify/message.ts';
import type { SendResult } from '../../../notify/state.ts';

/** What came back, in words for a person: `HTTP 200`, `SMTP 535 (EAUTH)`. No secret is in it. */
export type Sent = SendResult & { readonly answer: string };

export interface Sender {
  /** One attempt. Never throws, and ends within `ATTEMPT_MS`. */
  send(message: Message): Promise<Sent>;
  close(): void;
}

/** Longest time that one attempt takes. */
export const ATTEMPT_MS = 8_000;
