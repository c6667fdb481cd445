// A client as a test uses it: stamps its requests by its own clock, reads lists out, and lets no secret pass.
import { inspect } from 'node:util';
import type { Balance } from '../../src/domain/balance.ts';
import { plain } from '../../src/domain/decimal.ts';
import type { Fill } from '../../src/domain/fill.ts';
import { type OrderId, orderId } from '../../src/domain/ids.ts';
import type { OpenOrder } from '../../src/domain/order.ts';
import type { DurationMs } from '../../src/domain/time.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { Venue } from '../../src/ports/transport.ts';
import type { ListLimit } from '../../src/venue/bounds.ts';
import type { Completed, ReadOutcome } from '../../src/venue/outcomes.ts';
import type { SpotTradesFilter, Stamp, VenueRequest } from '../../src/venue/requests.ts';
import { orderOf } from './client-paper-words.ts';

export interface PaperClientParts {
  readonly venue: Venue;
  readonly clock: Clock;
  readonly recvWindowMs: DurationMs;
  readonly expectNoSecret: (text: string) => void;
}

export class PaperClient {
  readonly #venue: Venue;
  readonly #clock: Clock;
  readonly #recvWindowMs: DurationMs;
  readonly #expectNoSecret: (text: string) => void;

  constructor({ venue, clock, recvWindowMs, expectNoSecret }: PaperClientParts) {
    this.#venue = venue;
    this.#clock = clock;
    this.#recvWindowMs = recvWindowMs;
    this.#expectNoSecret = expectNoSecret;
  }

  stamp(): Stamp {
    return { timestamp: Math.round(this.#clock.now()), recvWindow: this.#recvWindowMs };
  }

  async perform(request: VenueRequest): Promise<Completed> {
    const completed = await this.#venue.perform(request);
    this.#expectNoSecret(inspect(completed, { depth: 20, showHidden: true }) + JSON.stringify(completed));
    return completed;
  }

  /** Sends `BUY 0.01000 @ 5000000.00 BTC/INR`. */
  create(order: string): Promise<Completed> {
    return this.perform({ kind: 'create', order: orderOf(order), stamp: this.stamp() });
  }

  /** The same, which must be accepted. */
  async place(order: string): Promise<OrderId> {
    const { outcome } = await this.create(order);
    if (outcome.kind !== 'accepted') throw new Error(`${order} is ${inspect(outcome)}.`);
    return outcome.orderId;
  }

  cancel(id: string): Promise<Completed> {
    return this.perform({ kind: 'cancel', orderId: orderId(id), stamp: this.stamp() });
  }

  cancelSymbol(symbol = 'BTC/INR'): Promise<Completed> {
    return this.perform({ kind: 'cancel-symbol', symbol, stamp: this.stamp() });
  }

  cancelAll(): Promise<Completed> {
    return this.perform({ kind: 'cancel-all', stamp: this.stamp() });
  }

  async openOrders(symbol?: string): Promise<readonly OpenOrder[]> {
    const scope = symbol === undefined ? {} : { symbol };
    const completed = await this.perform({ kind: 'open-orders', ...scope, stamp: this.stamp() });
    return completed.kind === 'open-orders' ? rowsOf(completed.outcome) : wrongKind(completed);
  }

  async fills(
    filter: SpotTradesFilter = { by: 'symbol' },
    limit: ListLimit = 50,
    symbol = 'BTC/INR',
  ): Promise<readonly Fill[]> {
    const completed = await this.perform({ kind: 'spot-trades', symbol, filter, limit, stamp: this.stamp() });
    return completed.kind === 'spot-trades' ? rowsOf(completed.outcome) : wrongKind(completed);
  }

  async balances(): Promise<readonly Balance[]> {
    const completed = await this.perform({ kind: 'wallet', stamp: this.stamp() });
    return completed.kind === 'wallet' ? rowsOf(completed.outcome) : wrongKind(completed);
  }

  /** `{ BTC: '9.5 + 0.5', … }`: free and locked of each asset. */
  async wallet(): Promise<Readonly<Record<string, string>>> {
    const rows = await this.balances();
    return Object.fromEntries(rows.map(({ asset, free, locked }) => [asset, `${plain(free)} + ${plain(locked)}`]));
  }
}

/** The rows of a read that must be whole. */
function rowsOf<T>(outcome: ReadOutcome<T>): T {
  if (outcome.kind === 'read' && outcome.read.complete) return outcome.read.rows;
  throw new Error(`Not a complete read: ${inspect(outcome, { depth: 5 })}.`);
}

function wrongKind(completed: Completed): never {
  throw new Error(`The answer is one to ${completed.kind}.`);
}
