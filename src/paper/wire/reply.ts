// What an endpoint answers, before headers: JSON text, or one of the documented errors.
import { invariant } from '../../domain/invariant.ts';
import { errorCode } from '../../venue/error-codes.ts';
import type { Quirks } from './quirks.ts';

export type Reply =
  | { readonly kind: 'ok'; readonly json: string }
  | { readonly kind: 'error'; readonly code: number; readonly msg: string };

export type ErrorReply = Extract<Reply, { kind: 'error' }>;

export const okText = (json: string): Reply => ({ kind: 'ok', json });
export const ok = (value: unknown): Reply => okText(JSON.stringify(value));
/** 200 `{msg}`: an acknowledged cancel, or a create that was turned down by a check behind the gate. */
export const okMsg = (msg: string): Reply => ok({ msg });
export const refuse = (code: number, msg: string): ErrorReply => ({ kind: 'error', code, msg });

/** A documented error in the words of the specification. Throws on a code that is not documented. */
export function refuseByCode(code: number): ErrorReply {
  const documented = errorCode(code);
  invariant(documented !== undefined, `Code ${code} is not documented.`);
  return refuse(code, documented.meaning);
}

/** HTTP status and body of a reply. */
export function render(reply: Reply, quirks: Pick<Quirks, 'codeAs'>): { status: number; body: string } {
  if (reply.kind === 'ok') return { status: 200, body: reply.json };
  const documented = errorCode(reply.code);
  invariant(documented !== undefined, `Code ${reply.code} is not documented.`);
  return { status: documented.status, body: errorBody(reply, quirks) };
}

export function errorBody({ code, msg }: ErrorReply, quirks: Pick<Quirks, 'codeAs'>): string {
  return JSON.stringify({ code: quirks.codeAs === 'number' ? code : String(code), msg });
}
