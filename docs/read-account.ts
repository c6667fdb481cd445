// Prints the wallet, and every execution of a market since a day: `node docs/read-account.ts BTC/INR 2026-11-01`.
import { completeRows, openExchange, plain } from 'quotekeeper/client';

const { EXCHANGE_URL: baseUrl = '', API_KEY: apiKey = '', API_SECRET: secret = '' } = process.env;
const [symbol = 'BTC/INR', since = '2026-01-01'] = process.argv.slice(2);

const exchange = openExchange({ baseUrl, apiKey, secret });

const wallet = completeRows((await exchange.api.wallet({ omitZeroBalances: true })).outcome);
if (!wallet.ok) throw new Error(`The wallet can't be read: ${wallet.error}`);
for (const { asset, free, locked } of wallet.value)
  console.log(`${asset}: ${plain(free)} free, ${plain(locked)} locked`);

for await (const event of exchange.spotTrades({ symbol, from: Date.parse(since) })) {
  if (event.kind === 'rows')
    for (const { venueTime, side, quantity, price, commission, commissionAsset } of event.rows) {
      const when = new Date(venueTime).toISOString();
      console.log(`${when} ${side} ${plain(quantity)} @ ${plain(price)}, fee ${plain(commission)} ${commissionAsset}`);
    }
  // A list that is cut, or no longer goes back so far, is no complete history: what may be missing is named.
  else if (event.outcome.kind === 'gap') for (const { sentence } of event.outcome.gaps) console.log(`gap: ${sentence}`);
  else console.log(event.outcome.kind);
}

await exchange.close();
