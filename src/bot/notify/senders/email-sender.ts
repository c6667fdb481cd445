// One e-mail over SMTP. The library is loaded on first use: most bots have no such channel.
import { bodyOf, type Message, type Speaker, titleOf } from '../../base/message.ts';
import { systemCode } from '../../base/system-error.ts';
import type { ChannelSection } from '../../settings/notify/notify-section.ts';
import { ATTEMPT_MS, type Sender, type Sent } from './http-sender.ts';

type EmailSection = Extract<ChannelSection, { form: 'email' }>;

/** `password`: null without a login. */
export function emailSender(section: EmailSection, password: string | null, speaker: Speaker): Sender {
  const { host, port, tls, user, sender, to } = section;
  const options = {
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(user === undefined || password === null ? {} : { auth: { user, pass: password } }),
    connectionTimeout: ATTEMPT_MS / 2,
    greetingTimeout: ATTEMPT_MS / 2,
    socketTimeout: ATTEMPT_MS,
    dnsTimeout: ATTEMPT_MS / 2,
    // Messages must not pull in files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  const domain = sender.split('@')[1] ?? 'localhost';
  return {
    async send(message: Message): Promise<Sent> {
      try {
        const { createTransport } = await import('nodemailer');
        const { response, rejected } = await createTransport(options).sendMail({
          from: { name: `quotekeeper ${speaker.bot}`, address: sender },
          to: [...to],
          subject: titleOf(message, speaker),
          text: bodyOf(message, speaker),
          // The same in every attempt, so that a mailbox can recognize duplicates.
          messageId: `<${message.id}@${domain}>`,
          date: new Date(message.at),
          priority: message.severity === 'page' ? 'high' : 'normal',
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal: AbortSignal.timeout(ATTEMPT_MS),
        });
        const answer = `SMTP ${String(response).slice(0, 80)}`;
        if (rejected.length === 0) return { kind: 'sent', answer };
        const count = `${rejected.length} of ${to.length}`;
        const without = `The mail server refused ${count} recipients: ${addressesOf(rejected)}.`;
        return { kind: 'sent', without, answer: `${answer}. ${without}` };
      } catch (error) {
        return failed(error);
      }
    },
    close: () => undefined,
  };
}

const addressesOf = (rejected: readonly (string | { readonly address: string })[]): string =>
  rejected.map((each) => (typeof each === 'string' ? each : each.address)).join(', ');

/** Uses only the error's codes: its message may quote what was sent to the server. */
function failed(error: unknown): Sent {
  const code = systemCode(error);
  const known = error instanceof Error && 'responseCode' in error ? error.responseCode : null;
  const responseCode = typeof known === 'number' ? known : null;
  const answer = responseCode === null ? `No mail went out (${code}).` : `SMTP ${responseCode} (${code}).`;
  // The text itself is refused: a permanent error after DATA.
  if (code === 'EMESSAGE' && responseCode !== null && responseCode >= 500)
    return { kind: 'refused', because: answer, answer };
  return { kind: 'failed', because: answer, retryAfterMs: null, answer };
}
