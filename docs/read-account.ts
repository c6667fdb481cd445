// Prints the wallet, and every execution of a market since a day: `node docs/read-account.ts BTC/INR 2026-11-01`.
import { completeRows, openExchange, plain } from 'quotekeeper/client';

const { EXCHANGE_URL: baseUrl = '', API_KEY: apiKey = '', API_SECRET: secret = '' } = process.env;
const [symbol = 'BTC/INR', from = '2026-01-01'] = process.argv.slice(2);

const exchange = openExchange({ baseUrl, apiKey, secret });

const wallet = completeRows((await exchange.api.wallet({ omitZeroBalances: true }, { retry: 3 })).outcome);
if (!wallet.ok) throw new Error(`The wallet can't be read: ${wallet.error}`);
for (const { asset, free, locked } of wallet.value)
  console.log(`${asset}: ${plain(free)} free, ${plain(locked)} locked`);

// All pages, joined; `for await (const event of …)` gives the rows as they come.
const { rows, outcome } = await exchange.spotTrades({ symbol, from }).collect();
for (const { venueTime, side, quantity, price, commission, commissionAsset } of rows) {
  const when = new Date(venueTime).toISOString();
  console.log(`${when} ${side} ${plain(quantity)} @ ${plain(price)}, fee ${plain(commission)} ${commissionAsset}`);
}
// A list that is cut, or no longer goes back so far, is no complete history: what may be missing is named.
console.log(outcome.kind);
if (outcome.kind === 'gap') for (const { sentence } of outcome.gaps) console.log(`gap: ${sentence}`);
await exchange.close();
