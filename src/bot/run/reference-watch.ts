// The reference price in a running bot: loads the package before anything moves money, and asks other exchanges while
// quotes may be wanted.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { midPrice, touchOf } from '../../domain/order-book.ts';
import type { Loop } from '../../loop/loop.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Ccxt, findCcxt, loadCcxt, missingCcxt } from '../../reference/ccxt/exchange.ts';
import { unknownExchanges, watchReference } from '../../reference/ccxt/watch.ts';
import type { Seen } from '../../reference/combine.ts';
import { priceDoubt, trustedBook } from '../../trader/knowledge/knowledge-of.ts';
import type { With } from '../../trader/state/state.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import type { Log } from '../base/log.ts';
import type { ReferenceSettings } from '../settings/types.ts';

/** Null if no reference is configured. Throws `StartError` (78) if the package is missing, or lacks an exchange. */
export async function loadReference(
  reference: ReferenceSettings | null,
  log: Pick<Log, 'logEvent'>,
): Promise<Ccxt | null> {
  if (reference === null) return null;
  const file = findCcxt(reference.packageFolders);
  if (file === null) throw new StartError(EXIT.configurationInvalid, missingCcxt(reference.packageFolders));
  const ccxt = await loadCcxt(file);
  if (ccxt === null) throw new StartError(EXIT.configurationInvalid, `${file} is not the package ccxt.`);
  const unknown = unknownExchanges(reference, ccxt);
  if (unknown.length > 0) {
    const sentence = `reference: ccxt ${ccxt.version} does not know ${unknown.join(', ')}, or not by this name.`;
    throw new StartError(EXIT.configurationInvalid, sentence);
  }
  log.logEvent({ op: 'reference', message: `Other exchanges are asked by ccxt ${ccxt.version}.` });
  return ccxt;
}

export interface ReferenceWatchParts {
  readonly loop: Pick<Loop, 'tell' | 'state'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'logEvent'>;
}

/** Begins at once; does nothing without a reference. `ccxt` is the loaded package. */
export function startReference(
  reference: ReferenceSettings | null,
  ccxt: Ccxt | null,
  { loop, clock, log }: ReferenceWatchParts,
): { end(): void } {
  if (reference === null || ccxt === null) return { end: () => {} };
  return watchReference(reference, {
    ...{ ccxt, clock },
    ofMarket: (symbol) => bookMid(loop.state(), symbol),
    tell: (symbol, reading) => loop.tell({ kind: 'external-price', symbol, reading }),
    note: (kind, message) => log.logEvent({ op: 'reference', level: kind === 'fails' ? 'warn' : 'info', message }),
  });
}

/** Without own orders: otherwise our quotes would move the rate they are based on. */
function bookMid(state: With<'durable' | 'markets' | 'otherBooks' | 'clock'>, symbol: InstrumentSymbol): Seen {
  const market = state.markets.get(symbol);
  if (market?.book.frozen) return { kind: 'unseen', why: `The book of ${symbol} is frozen here.` };
  const doubt = market ? priceDoubt(state, market) : null;
  if (doubt !== null) return { kind: 'unseen', why: doubt };
  const seen = market ? trustedBook(state, symbol) : null;
  const touch = seen === null ? null : touchOf(seen.book);
  if (seen === null || touch === null) return { kind: 'unseen', why: `The book of ${symbol} has no two sides here.` };
  return { kind: 'seen', price: midPrice(touch), asOf: seen.sentAt };
}
