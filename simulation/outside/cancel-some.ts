// A cancel by symbol that the exchange completes only in part: some of its orders stay.
import { reader } from '../../src/matching/engine.ts';
import { applyOwnerAction } from '../../src/paper/owner/owner-action.ts';
import type { ExchangeState } from '../../src/paper/state/state.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Random } from '../../src/ports/random.ts';
import type { HttpRequest } from '../../src/ports/transport.ts';
import { ACCOUNT } from '../plan/configuration.ts';

export function cancelSomeAt(
  exchange: () => ExchangeState,
  clock: Pick<Clock, 'now'>,
): (request: HttpRequest, random: Random) => void {
  return ({ url, body }, random) => {
    const named = body === null ? null : (JSON.parse(body) as { symbol?: string }).symbol;
    const symbol = named ?? new URL(url).searchParams.get('symbol') ?? '';
    const open = reader(exchange().engine).ordersOf(ACCOUNT, symbol);
    for (const { orderId } of open.slice(0, Math.floor(random.next() * open.length)))
      applyOwnerAction(exchange(), { kind: 'cancel-order', account: ACCOUNT, orderId }, clock.now());
  };
}
