// Refusals as the client makes them of the exchange's codes.
import { DIALECT, errorIn } from '../../src/venue/dialect.ts';
import type { Fault, Rejected } from '../../src/venue/outcomes.ts';
import type { RefusalKind } from '../../src/venue/refusals.ts';

export function kindOf(code: number): RefusalKind {
  const entry = errorIn(DIALECT, code);
  if (entry === undefined) throw new Error(`Code ${code} is not documented.`);
  return entry.kind;
}

export const refused = (code: number, { status = 400, msg = 'No.' } = {}): Rejected => ({
  ...{ kind: 'rejected', status, code, msg, refusal: kindOf(code) },
});

/** The fault of a request that came during maintenance. */
export const MAINTENANCE: Fault = {
  ...{ sent: true, reason: 'status', status: 503 },
  ...{ code: -1125, refusal: 'maintenance', detail: 'Maintenance.' },
};
