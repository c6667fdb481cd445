// One row of the table of endpoints: what client, paper exchange and documents are made from.
import type { z } from 'zod';
import type { EndpointName, LaneName } from './requests.ts';

/** What a key must be allowed to do (specification 5.2). */
export type Permission = 'wallet' | 'orders' | 'trades';

export interface Endpoint {
  readonly name: EndpointName;
  /** Which base URL the path is appended to. */
  readonly interface: 'current' | 'legacy';
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The path that the specification's sample calls use, where it differs (Q13). */
  readonly samplePath?: string;
  readonly lane: LaneName;
  /** Whether the request carries key, timestamp, recvWindow and signature. */
  readonly signed: boolean;
  readonly permission?: Permission;
  /** Query parameters beside `timestamp`, `recvWindow` and `signature`, as the wire carries them. */
  readonly query: z.ZodObject;
  /** JSON body, or `null` where the request has none. */
  readonly body: z.ZodObject | null;
  /** The documented shape of a successful answer. Parsers are more tolerant than this. */
  readonly answer: z.ZodType;
  /** The documented code of the endpoint's own failure; the legacy interface has no codes. */
  readonly failureCode: number | null;
  /** Where in the specification. */
  readonly section: string;
  readonly summary: string;
}
