// What the exchange would refuse and types can't rule out: text that is no symbol, moments that are none, orders of
// nothing.
import { parseSymbol } from '../../domain/instrument.ts';
import type { OrderRequest } from '../../domain/order.ts';
import { LIST_LIMIT_MAX } from '../../venue/bounds.ts';
import { RECV_WINDOW_MAX_MS } from '../../venue/endpoints.ts';
import type { Stamp, VenueRequest } from '../../venue/requests.ts';

const ASSET = /^[A-Z0-9]{1,20}$/;
const DIGITS = /^\d{1,64}$/;
const NAME = /^[\x21-\x7e]{1,64}$/;
/** Simple buys and sells are priced in it (specification 4.3). */
const SBS_QUOTE = 'INR';

/** One sentence on what is wrong with a request, or `null`. Asking costs a request; this costs nothing. */
export function wrongWith(request: VenueRequest): string | null {
  return (
    ('symbol' in request ? wrongSymbol(request.symbol) : null) ??
    ('limit' in request ? wrongLimit(request.limit) : null) ??
    ('asset' in request ? wrongAsset(request.asset) : null) ??
    ('filter' in request ? wrongFilter(request.filter) : null) ??
    ('order' in request ? wrongOrder(request.order) : null) ??
    ('orderId' in request ? wrongText('order id', request.orderId, NAME) : null) ??
    (request.kind === 'sbs-trades' ? wrongSbsSymbol(request.symbol) : null) ??
    ('stamp' in request ? wrongStamp(request.stamp) : null)
  );
}

function wrongText(what: string, text: string | undefined, form: RegExp): string | null {
  return text === undefined || form.test(text)
    ? null
    : `The ${what} is ${JSON.stringify(text)}, not ${FORMS.get(form)}.`;
}

const FORMS = new Map([
  [ASSET, 'an asset in upper case'],
  [DIGITS, 'a number of plain digits'],
  [NAME, 'a text of 1 to 64 characters without white space'],
]);

function wrongSymbol(symbol: string | undefined): string | null {
  if (symbol === undefined || parseSymbol(symbol) !== null) return null;
  return `The symbol is ${JSON.stringify(symbol)}, not BASE/QUOTE in upper case.`;
}

function wrongSbsSymbol(symbol: string): string | null {
  return symbol.endsWith(`/${SBS_QUOTE}`) ? null : `The symbol is ${symbol}, not COIN/${SBS_QUOTE}.`;
}

const wrongAsset = (asset: string | undefined): string | null => wrongText('asset', asset, ASSET);

function wrongLimit(limit: number | undefined): string | null {
  const right = limit === undefined || (Number.isInteger(limit) && limit >= 1 && limit <= LIST_LIMIT_MAX);
  return right ? null : `The limit is ${limit}, not a whole number from 1 to ${LIST_LIMIT_MAX}.`;
}

type Filter = Extract<VenueRequest, { filter: unknown }>['filter'];
function wrongFilter(filter: Filter): string | null {
  const time = 'time' in filter ? filter.time : filter;
  return (
    ('startTime' in time ? wrongMoment('startTime', time.startTime) : null) ??
    ('endTime' in time ? wrongMoment('endTime', time.endTime) : null) ??
    ('asset' in filter ? wrongAsset(filter.asset) : null) ??
    ('fromId' in filter ? wrongText('trade id', filter.fromId, DIGITS) : null) ??
    ('orderId' in filter ? wrongText('order id', filter.orderId, 'time' in filter ? DIGITS : NAME) : null)
  );
}

function wrongMoment(name: string, moment: number): string | null {
  return Number.isSafeInteger(moment) && moment >= 0
    ? null
    : `The ${name} is ${moment}, not whole milliseconds since epoch.`;
}

function wrongOrder({ symbol, price, quantity }: OrderRequest): string | null {
  const wrong = wrongSymbol(symbol);
  if (wrong !== null) return wrong;
  if (!price.isFinite() || !price.gt(0)) return `The price is ${price.toFixed()}, not above zero.`;
  return quantity.isFinite() && quantity.gt(0) ? null : `The quantity is ${quantity.toFixed()}, not above zero.`;
}

function wrongStamp({ timestamp, recvWindow }: Stamp): string | null {
  const right = Number.isInteger(recvWindow) && recvWindow >= 1 && recvWindow <= RECV_WINDOW_MAX_MS;
  if (!right) return `The recvWindow is ${recvWindow} ms, not 1 to ${RECV_WINDOW_MAX_MS}.`;
  return wrongMoment('timestamp', timestamp);
}
