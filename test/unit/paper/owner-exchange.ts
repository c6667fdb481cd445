// A small exchange whose owner acts beside the bot: actions in, answers or refusals out, everything checked after each.
import { createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { decimal } from '../../../src/domain/decimal.ts';
import { type AccountTruth, truth } from '../../../src/paper/control/truth.ts';
import { advance } from '../../../src/paper/engine/advance.ts';
import { type ExchangeSnapshot, restore, snapshot, validateExchange } from '../../../src/paper/engine/snapshot.ts';
import { applyOwnerAction } from '../../../src/paper/owner/owner-action.ts';
import type { OwnerAction, OwnerActionAnswer } from '../../../src/paper/state/owner-actions.ts';
import type { PaperSettings } from '../../../src/paper/state/settings.ts';
import type { PaperResponse } from '../../../src/paper/wire/messages.ts';
import type { Quirks } from '../../../src/paper/wire/quirks.ts';
import { ENDPOINTS } from '../../../src/venue/endpoints.ts';
import type { EndpointName } from '../../../src/venue/requests.ts';
import { ALICE, type RequestOptions, SmallExchange, smallSettings } from './small-exchange.ts';

type Row = Readonly<Record<string, unknown>>;

export class OwnerExchange extends SmallExchange {
  /** Does it; throws where it is refused. */
  act(action: OwnerAction): OwnerActionAnswer {
    const result = applyOwnerAction(this.state, action, this.now);
    validateExchange(this.state);
    if (!result.ok) throw new Error(result.error);
    return result.value;
  }

  /** Does what must be refused, and sees that nothing changes; the sentence. */
  refusal(action: OwnerAction): string {
    advance(this.state, this.now);
    const before = this.stored();
    const result = applyOwnerAction(this.state, action, this.now);
    if (result.ok) throw new Error(`${action.kind} was not refused.`);
    if (!isDeepStrictEqual(this.stored(), before)) throw new Error(`${action.kind} was refused and changed something.`);
    return result.error;
  }

  transfer(action: OwnerAction): string {
    const answer = this.act(action);
    if (answer.kind !== 'transfer') throw new Error(`${action.kind} is no transfer.`);
    return answer.transferId;
  }

  order(action: OwnerAction): { readonly orderId: string; readonly state: 'open' | 'closed' } {
    const answer = this.act(action);
    if (answer.kind !== 'order') throw new Error(`${action.kind} is no order.`);
    return answer;
  }

  /** What a stopped exchange would leave behind. */
  stored(): ExchangeSnapshot {
    return snapshot(this.state);
  }

  /** Stops, and goes on from what was written. */
  restart(settings: PaperSettings = this.state.settings): void {
    const result = restore(settings, this.stored(), this.now);
    if (!result.ok) throw new Error(result.error);
    this.state = result.value;
  }

  rows(name: Parameters<SmallExchange['read']>[0], options: RequestOptions = {}): readonly Row[] {
    const rows = this.read(name, options);
    if (!Array.isArray(rows)) throw new Error(`${name} is no list.`);
    return rows;
  }

  /** Asks with query text that no map can hold, as for a parameter given twice; values must be sorted. */
  askTwice(name: EndpointName, query: string): PaperResponse {
    const { method, path } = ENDPOINTS[name];
    const signed = [...query.split('&'), `timestamp=${this.now}`].sort().join('&');
    const signature = createHmac('sha256', ALICE.secret).update(signed).digest('hex');
    const headers = { 'x-exchange-apikey': ALICE.apiKey };
    return this.send({ method, path, query: `${signed}&signature=${signature}`, headers, body: null, ip: '127.0.0.1' });
  }

  /** `free+locked` and what else is locked, of one asset of the wallet. */
  wallet(asset: string, options: RequestOptions = {}): string {
    const row = this.rows('wallet', { query: { omitZeroBalances: 'false' }, ...options }).find(
      (one) => one.asset === asset,
    );
    if (!row) throw new Error(`There is no ${asset} in the wallet.`);
    const { free, locked, lockedFd, lockedStaking, lockedOtc } = row;
    const apart = [
      lockedFd === '0' ? '' : ` fd ${lockedFd}`,
      lockedStaking === '0' ? '' : ` staking ${lockedStaking}`,
      lockedOtc === '0' ? '' : ` otc ${lockedOtc}`,
    ];
    return `${free}+${locked}${apart.join('')}`;
  }

  truthOf(account: string): AccountTruth {
    const found = truth(this.state, { others: true, fills: true }).accounts.find((one) => one.account === account);
    if (!found) throw new Error(`There is no account ${account}.`);
    return found;
  }
}

export const ownerExchange = (quirks: Partial<Quirks> = {}): OwnerExchange =>
  new OwnerExchange(smallSettings({ quirks }));

/** `10 BTC`. */
function amountOf(text: string): { readonly amount: ReturnType<typeof decimal>; readonly asset: string } {
  const [amount = '', asset = ''] = text.split(' ');
  return { amount: decimal(amount), asset };
}

type Status = 'pending' | 'success' | 'failed' | 'rejected';

interface Extra {
  readonly fee?: string;
  readonly status?: Status;
  readonly at?: number;
}

/** `crypto-deposit` of `0.5 BTC` for alice. */
export function cryptoTransfer(
  kind: 'crypto-deposit' | 'crypto-withdrawal',
  moved: string,
  { fee = '0', ...extra }: Extra & { readonly transactionHash?: string } = {},
): OwnerAction {
  const place = { network: 'BTC', transactionHash: null, fromAddress: null, toAddress: 'bc1-to' };
  return { kind, account: 'alice', ...amountOf(moved), fee: decimal(fee), ...place, ...extra };
}

/** `fiat-deposit` of INR for alice. */
export function fiatTransfer(
  kind: 'fiat-deposit' | 'fiat-withdrawal',
  amount: string,
  { fee = '0', ...extra }: Extra & { readonly referenceId?: string } = {},
): OwnerAction {
  return { kind, account: 'alice', amount: decimal(amount), fee: decimal(fee), ...extra };
}

/** `buy 0.5 BTC @ 5000` for alice, without commission and tax. */
export function sbsTrade(
  text: string,
  {
    commission = '0',
    commissionIn = 'INR',
    tds = '0',
    ...extra
  }: { commission?: string; commissionIn?: 'coin' | 'INR'; tds?: string; at?: number; account?: string } = {},
): OwnerAction {
  const [side = '', quantity = '', coin = '', , price = ''] = text.split(' ');
  return {
    kind: 'sbs-trade',
    account: 'alice',
    coin,
    side: side === 'buy' ? 'buy' : 'sell',
    price: decimal(price),
    quantity: decimal(quantity),
    commission: decimal(commission),
    commissionIn,
    tds: decimal(tds),
    ...extra,
  };
}

/**
 * `buy 0.5 LIMIT 5000`, `sell 1 STOP_LIMIT 4990 when 5000`, `buy 1 MARKET`, `sell 1 STOP_MARKET when 5000`; of BTC/INR.
 */
export function manualOrder(text: string, given: { account?: string; symbol?: string; at?: number } = {}): OwnerAction {
  const [side = '', quantity = '', type = '', ...rest] = text.split(' ');
  const price = decimal(rest[0] === 'when' || rest[0] === undefined ? 0 : rest[0]);
  const stopPrice = decimal(rest.at(-1) ?? 0);
  const terms =
    type === 'LIMIT'
      ? ({ type, price } as const)
      : type === 'STOP_LIMIT'
        ? ({ type, price, stopPrice } as const)
        : type === 'STOP_MARKET'
          ? ({ type, stopPrice } as const)
          : ({ type: 'MARKET' } as const);
  const order = { side: side === 'buy' ? 'buy' : 'sell', quantity: decimal(quantity), terms } as const;
  return { kind: 'place-order', account: 'alice', symbol: 'BTC/INR', ...order, ...given };
}
