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
export function validateRequest(request: VenueRequest): string | null {
  return (
    ('symbol' in request ? validateSymbol(request.symbol) : null) ??
    ('limit' in request ? validateLimit(request.limit) : null) ??
    ('asset' in request ? validateAsset(request.asset) : null) ??
    ('filter' in request ? validateFilter(request.filter) : null) ??
    ('order' in request ? validateOrder(request.order) : null) ??
    ('orderId' in request ? validateText('order id', request.orderId, NAME) : null) ??
    (request.kind === 'sbs-trades' ? validateSbsSymbol(request.symbol) : null) ??
    ('stamp' in request ? validateStamp(request.stamp) : null)
  );
}

function validateText(what: string, text: string | undefined, form: RegExp): string | null {
  return text === undefined || form.test(text)
    ? null
    : `The ${what} is ${JSON.stringify(text)}, not ${FORMS.get(form)}.`;
}

const FORMS = new Map([
  [ASSET, 'an asset in upper case'],
  [DIGITS, 'a number of plain digits'],
  [NAME, 'a text of 1 to 64 characters without white space'],
]);

function validateSymbol(symbol: string | undefined): string | null {
  if (symbol === undefined || parseSymbol(symbol) !== null) return null;
  return `The symbol is ${JSON.stringify(symbol)}, not BASE/QUOTE in upper case.`;
}

function validateSbsSymbol(symbol: string): string | null {
  return symbol.endsWith(`/${SBS_QUOTE}`) ? null : `The symbol is ${symbol}, not COIN/${SBS_QUOTE}.`;
}

const validateAsset = (asset: string | undefined): string | null => validateText('asset', asset, ASSET);

function validateLimit(limit: number | undefined): string | null {
  const right = limit === undefined || (Number.isInteger(limit) && limit >= 1 && limit <= LIST_LIMIT_MAX);
  return right ? null : `The limit is ${limit}, not a whole number from 1 to ${LIST_LIMIT_MAX}.`;
}

type Filter = Extract<VenueRequest, { filter: unknown }>['filter'];
function validateFilter(filter: Filter): string | null {
  const time = 'time' in filter ? filter.time : filter;
  return (
    ('startTime' in time ? validateMoment('startTime', time.startTime) : null) ??
    ('endTime' in time ? validateMoment('endTime', time.endTime) : null) ??
    ('asset' in filter ? validateAsset(filter.asset) : null) ??
    ('fromId' in filter ? validateText('trade id', filter.fromId, DIGITS) : null) ??
    ('orderId' in filter ? validateText('order id', filter.orderId, 'time' in filter ? DIGITS : NAME) : null)
  );
}

function validateMoment(name: string, moment: number): string | null {
  return Number.isSafeInteger(moment) && moment >= 0
    ? null
    : `The ${name} is ${moment}, not whole milliseconds since epoch.`;
}

function validateOrder({ symbol, price, quantity }: OrderRequest): string | null {
  const wrong = validateSymbol(symbol);
  if (wrong !== null) return wrong;
  if (!price.isFinite() || !price.gt(0)) return `The price is ${price.toFixed()}, not above zero.`;
  return quantity.isFinite() && quantity.gt(0) ? null : `The quantity is ${quantity.toFixed()}, not above zero.`;
}

function validateStamp({ timestamp, recvWindow }: Stamp): string | null {
  const right = Number.isInteger(recvWindow) && recvWindow >= 1 && recvWindow <= RECV_WINDOW_MAX_MS;
  if (!right) return `The recvWindow is ${recvWindow} ms, not 1 to ${RECV_WINDOW_MAX_MS}.`;
  return validateMoment('timestamp', timestamp);
}
