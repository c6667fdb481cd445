// What a rule can know of a request before the exchange has looked at it: nothing here is checked, only recognized.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { readJson } from '../../domain/json.ts';
import type { Side } from '../../domain/order.ts';
import { reader } from '../../matching/engine.ts';
import type { RequestFacts } from '../delivery/delivery.ts';
import { endpointOf } from '../gate/gate.ts';
import { legacyEndpointOf, marketKey } from '../gate/legacy-gate.ts';
import type { ExchangeState } from '../state/state.ts';
import { headerOf, type PaperRequest } from '../wire/messages.ts';
import { parameter, parseQuery } from '../wire/query.ts';

const LONGEST_TIMESTAMP = 40;

/** Never throws, whatever the request holds. */
export function factsOf(state: ExchangeState, request: PaperRequest): RequestFacts {
  const { method, path } = request;
  const fields = fieldsOf(request.body);
  const order = orderOf(state, fields.order_id);
  return {
    endpoint: (endpointOf(request) ?? legacyEndpointOf(request))?.name ?? null,
    method,
    path,
    account: state.callers.get(headerOf(request, state.keyHeader) ?? '')?.account ?? null,
    symbol: order?.symbol ?? textOf(fields.symbol) ?? symbolInQuery(state, request.query),
    side: order?.side ?? sideOf(fields.action),
  };
}

/** The timestamp that a request states, whatever it may be. */
export function timestampOf({ query }: Pick<PaperRequest, 'query'>): string | null {
  return parameter(parseQuery(query) ?? new Map(), 'timestamp')?.slice(0, LONGEST_TIMESTAMP) ?? null;
}

function symbolInQuery(state: ExchangeState, raw: string): InstrumentSymbol | null {
  const query = parseQuery(raw);
  if (query === null) return null;
  const market = parameter(query, 'market');
  const legacy = state.settings.engine.instruments.find(
    (instrument) => market !== undefined && marketKey(instrument) === market,
  );
  return parameter(query, 'symbol') ?? legacy?.symbol ?? null;
}

function orderOf(state: ExchangeState, id: unknown): { symbol: InstrumentSymbol; side: Side } | null {
  if (typeof id !== 'string') return null;
  return reader(state.engine).order(id) ?? state.backOffice.waiting.get(id) ?? null;
}

function sideOf(action: unknown): Side | null {
  if (action === 'BUY') return 'buy';
  return action === 'SELL' ? 'sell' : null;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function fieldsOf(body: string | null): { order_id?: unknown; symbol?: unknown; action?: unknown } {
  const json = readJson(body ?? '{}');
  return json.ok && typeof json.value === 'object' && json.value !== null ? json.value : {};
}
