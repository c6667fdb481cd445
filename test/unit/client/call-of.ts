// A request as the call of the public client that asks for it; and what the client says of it before anything is sent.
import { createExchangeApi } from '../../../src/client/exchange-api.ts';
import type { Completed } from '../../../src/venue/outcomes.ts';
import type { VenueRequest } from '../../../src/venue/requests.ts';

const stamp = { timestamp: 1_700_000_000_000, recvWindow: 2_500 };

/** A client whose requests end here; each is kept. */
export function recordingApi() {
  const asked: VenueRequest[] = [];
  const perform = async (request: VenueRequest): Promise<Completed> => {
    asked.push(request);
    const fault = { sent: false, reason: 'refused', detail: 'Nobody is there.' };
    return JSON.parse(
      JSON.stringify({
        kind: request.kind,
        request,
        facts: { sentAt: 1, receivedAt: 2 },
        outcome: { kind: 'failed', fault },
      }),
    );
  };
  const secrets = ['key-of-a-test', 'hush-hush'];
  const { api, firstPage } = createExchangeApi({ perform, stamp: () => stamp, secrets });
  return { asked, api: Object.assign(firstPage, api) };
}

export type Told = { readonly sentence: string | null; readonly asked: readonly VenueRequest[] };

/** Calls a method by its name with whatever argument. */
export async function toldOf(method: string, ...given: readonly unknown[]): Promise<Told> {
  const { api, asked } = recordingApi();
  try {
    await Reflect.apply(Reflect.get(api, method), api, given);
    return { sentence: null, asked };
  } catch (error) {
    return { sentence: error instanceof Error ? error.message : String(error), asked };
  }
}

const WRITES: Readonly<Record<string, string>> = { create: 'createOrder', cancel: 'cancelOrder' };

/** The sentence with which the client refuses the call that asks for this, or `null`. */
export async function sentenceOn(request: VenueRequest): Promise<string | null> {
  const method = WRITES[request.kind] ?? request.kind.replaceAll(/-(\w)/g, (_, first: string) => first.toUpperCase());
  return (await toldOf(method, argumentOf(request))).sentence;
}

function argumentOf(request: VenueRequest): unknown {
  if (request.kind === 'create') return request.order;
  const { kind: _kind, ...asked } = { stamp, ...request };
  const { stamp: _stamp, ...rest } = asked;
  const isSpot = request.kind === 'spot-trades' || request.kind === 'spot-trades-historical';
  if (!('filter' in request) || isSpot) return Object.keys(rest).length === 0 ? undefined : rest;
  const { filter, ...others } = { filter: {}, ...rest };
  return { ...others, ...filter };
}
