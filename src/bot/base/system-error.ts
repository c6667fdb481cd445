// The code of an error that Node gave: `ENOENT`, `EADDRINUSE` … Its message may hold what nobody should see.

/** `unknown error` where there is no code. */
export function systemCode(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown error';
}
