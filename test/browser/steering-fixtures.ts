// What the page of a bot that is steered is shown in tests: the life of an order, parameters, a preview in money; and a
// certificate for HTTPS.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { moneyCells } from '../../src/bot/status/quote-money.ts';
import type { SteerAnswer } from '../../src/bot/steer/command.ts';
import { NOW } from './status-fixture.ts';

const orderLife = (id: string) => ({
  intentId: id,
  events: [{ at: NOW, what: 'create-outcome', values: { outcome: 'accepted' } }],
  dropped: 0,
});

const parameter = (path: string, value: string | null, expects: string) => ({
  ...{ path, value, expects, unit: 'INR', options: [], description: `What ${path} is.`, isFixed: false },
});
const PARAMETERS = [
  parameter('limits.maxSessionLoss', '400000', 'an amount > 0, such as 0.25'),
  { ...parameter('params.halfSpreadBps', '90', 'a number > 0 and ≤ 9999; 100 if left out'), unit: 'bps' },
  { ...parameter('quoting.pingPong', 'false', 'true or false'), unit: '', options: ['true', 'false'] },
  parameter('protections.turnover.quotePerDay', null, 'an amount > 0, such as 0.25'),
  { ...parameter('limits.maxOpenOrders', '10', 'a whole number ≥ 1 and ≤ 10'), unit: '', isFixed: true },
];
const parameters = () => [{ symbol: 'BTC/INR', revision: 3, parameters: PARAMETERS }];
/** What a page is told beside the status. */
export const STEERED = { orderLife, parameters };

const CHANGE = { price: '5457114 → 5459021', earnsFrom: '5559806 → 5560001', makerFee: '198.69 → 199.01' };
const MONEY = { ...CHANGE, notional: '1', distanceBps: '1', taxWithheld: '397.37 → 398.02', quantity: '0.00904' };
const QUOTE = { ...MONEY, side: 'buy', level: 0, locks: '49332.31 → 39737.26', earns: '412.33 → 398.11' } as const;

function previewAnswer(): SteerAnswer {
  const table = moneyCells([QUOTE, { ...QUOTE, level: 1 }], { base: 'BTC', quote: 'INR' }, 'narrow');
  const parts = ['BTC/INR: revision 1 becomes 2', table, '  no quote: x.'];
  return { preview: { id: '0123456789ab', parts, lines: [] } };
}

const LABELED = 'price 5457114 → 5459021 size BTC 0.00904 locks 49332.31 → 39737.26 INR fee 198.69 → 199.01';

/** Two bids that change, in money, with a sentence above and below. */
export const PREVIEW = {
  answer: previewAnswer,
  /** How the first of them is shown: with its name beside each number where there is no room for a head. */
  shown: (isNarrow: boolean) => (isNarrow ? LABELED : LABELED.replaceAll(/price |size BTC |locks |fee /g, '')),
};

const column = (value: number | null) => [value, value];
const KNOWN = { reference: column(5_500_000), inventory: column(0.5), profit: column(10), fills: [] };
const QUOTES = { marketBid: column(5_400_000), marketAsk: column(5_600_000), ownBid: column(null) };
/** What a bot has kept of an hour that began two hours ago. */
export const TWO_HOURS = {
  ...{ times: [NOW - 7_200_000, NOW], ...KNOWN, ...QUOTES },
  ownAsk: column(5_590_000),
};

/** For a day, of this machine's name. */
export function selfSigned(folder: string): { readonly certificate: string; readonly key: string } {
  const [certificate, key] = [path.join(folder, 'page.pem'), path.join(folder, 'page.key')];
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', ...made, '-days', '1', '-subj', '/CN=localhost'], { stdio: 'ignore' });
  return { certificate, key };
}
