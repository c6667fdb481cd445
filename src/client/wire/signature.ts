// HMAC SHA-256 over the canonical string, in lower-case hexadecimal (specification §5.4).
import { createHmac } from 'node:crypto';
import type { Secret } from './secret.ts';

/** 64 hexadecimal digits. */
export function signatureOf(canonical: string, secret: Secret): string {
  return createHmac('sha256', secret.reveal()).update(canonical, 'utf8').digest('hex');
}
