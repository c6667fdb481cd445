// Places a buy order, watches it, cancels it, and says how much was bought:
// `node docs/place-order.ts BTC/INR 4000000 0.001 60` watches for 60 seconds.
import { setTimeout } from 'node:timers/promises';
import { completeRows, type OpenOrder, openExchange, plain } from 'quotekeeper/client';

const { EXCHANGE_URL: baseUrl = '', API_KEY: apiKey = '', API_SECRET: secret = '' } = process.env;
const [symbol = '', price = '', quantity = '', seconds = '60'] = process.argv.slice(2);
const exchange = openExchange({ baseUrl, apiKey, secret });
const begun = Date.now();

/** The first open order of this kind, or null if a whole list has none. */
async function find(isWanted: (order: OpenOrder) => boolean): Promise<OpenOrder | null> {
  const { outcome } = await exchange.api.openOrders({ symbol }, { retry: 5, timeoutMs: 60_000 });
  const orders = completeRows(outcome);
  if (!orders.ok) throw new Error(`The open orders can't be read: ${orders.error}`);
  return orders.value.find(isWanted) ?? null;
}

const { outcome } = await exchange.api.createOrder({ symbol, side: 'buy', price, quantity });
if (outcome.kind === 'rejected') throw new Error(`No order: ${outcome.code} ${outcome.msg}`);
if (outcome.kind === 'not-sent') throw new Error(`No order: ${outcome.fault.detail}`);
let orderId = outcome.kind === 'accepted' ? outcome.orderId : null;
// After `unknown` and `soft-rejected` it may exist, and a second create might place a second one: a list tells.
for (let look = 0; orderId === null && look < 5; look += 1) {
  await setTimeout(3_000);
  const order = await find((open) => open.price.eq(price) && open.originalQuantity.eq(quantity));
  orderId = order?.orderId ?? null;
}
console.log(`Order: ${orderId ?? 'not found'}`);

for (let open = true; orderId !== null && open && Date.now() < begun + Number(seconds) * 1_000; ) {
  await setTimeout(2_000);
  const order = await find((each) => each.orderId === orderId);
  open = order !== null;
  console.log(order ? `${plain(order.executedQuantity)} of ${plain(order.originalQuantity)} filled` : 'not open');
}

if (orderId !== null) {
  const { outcome: canceled } = await exchange.api.cancelOrder({ orderId }, { timeoutMs: 60_000 });
  // Whatever it says, it does not say how much had filled before.
  console.log(`Cancel: ${canceled.kind}`);
  const { rows, outcome: read } = await exchange.spotTrades({ symbol, from: begun - 60_000 }).collect();
  const own = rows.filter((trade) => trade.orderId === orderId);
  for (const trade of own) console.log(`bought ${plain(trade.quantity)} @ ${plain(trade.price)}`);
  console.log(`${own.length} trades of it; the list is ${read.kind}`);
}
await exchange.close();
