// Tables of the specification as text, to hold our own tables to: copied from it (§7) and written down from it (§4).

/** The table of §7, as it stands there. */
export const CODES_OF_THE_SPECIFICATION = `
| Code | HTTP | Meaning |
|---|---|---|
| -1125 | 503 | Maintenance. |
| -1404 | 404 | Endpoint disabled. |
| -1000 | 500 | Request could not be processed. |
| -1001 | 403 | Authentication credentials required. |
| -1003 | 429 | Too many requests. |
| -1009 | 500 | Route validation failed. |
| -1015 | 403 | IP address not allowed. |
| -1021 | 400 | Timestamp outside recvWindow. |
| -1022 | 403 | Invalid signature. |
| -1023 | 400 | recvWindow must be positive and within the maximum. |
| -1102 | 400 | Order id required. |
| -1103 | 400 | Symbol required. |
| -1104 | 400 | Limit must be numeric. |
| -1105 | 400 | Limit outside allowed range. |
| -1106 | 400 | Timestamp parameter invalid. |
| -1107 | 400 | Start time must be before end time and within the allowed window. |
| -1108 | 400 | Status parameter invalid. |
| -1109 | 400 | Parameters cannot be used together. |
| -1111 | 400 | Asset format invalid. |
| -1112 | 400 | Action parameter invalid. |
| -1113 | 400 | Order type parameter invalid. |
| -1114 | 400 | Price parameter invalid. |
| -1115 | 400 | Quantity parameter invalid. |
| -1121 | 400 | Invalid symbol. |
| -1122 | 400 | Invalid asset. |
| -1123 | 400 | Symbol format invalid, expected \`BASE/QUOTE\`. |
| -1124 | 400 | Order id format invalid. |
| -2003 | 403 | Permission not granted. |
| -2004 | 403 | Account cannot be identified for the key. |
| -2015 | 403 | Invalid API key, IP or permissions. |
| -3000 | 500 | Authentication error. |
| -4001 | 500 | Internal server error. |
| -5001 | 500 | Unable to fetch ticker data. |
| -5002 | 500 | Unable to fetch trades data. |
| -5003 | 500 | Unable to fetch order book data. |
| -5004 | 500 | Unable to fetch fees data. |
| -5005 | 500 | Unable to fetch wallet data. |
| -5006 | 500 | Unable to fetch crypto deposit data. |
| -5007 | 500 | Unable to fetch crypto withdrawal data. |
| -5008 | 500 | Unable to fetch fiat deposit data. |
| -5009 | 500 | Unable to fetch fiat withdrawal data. |
| -5010 | 500 | Unable to fetch open orders. |
| -5011 | 500 | Unable to fetch spot trade history. |
| -5012 | 500 | Unable to fetch simple buy/sell trade history. |
| -5013 | 500 | Unable to create spot order. |
| -5014 | 500 | Unable to cancel spot order. |
| -5015 | 500 | Unable to fetch market symbols. |
`;

/** Method, path and parameters of §4.1–4.4; `!` marks those that are required. */
export const ENDPOINTS_OF_THE_SPECIFICATION = `
GET /api/ticker
GET /api/v2/ticker
GET /api/v2/depth market!
GET /api/v2/trades market!
GET /api/v1/public/exchange/ticker symbol
GET /api/v1/public/exchange/symbols
GET /api/v1/public/market/trades symbol! limit
GET /api/v1/public/market/orderbook symbol! limit
GET /api/v1/public/exchange/assets asset
GET /api/v1/wallet omitZeroBalances
GET /api/v1/crypto/deposits asset status startTime endTime limit
GET /api/v1/crypto/deposits/historical asset status startTime endTime limit
GET /api/v1/crypto/withdrawals asset status startTime endTime limit
GET /api/v1/crypto/withdrawals/historical asset status startTime endTime limit
GET /api/v1/fiat/deposits status startTime endTime limit
GET /api/v1/fiat/deposits/historical status startTime endTime limit
GET /api/v1/fiat/withdrawals status startTime endTime limit
GET /api/v1/fiat/withdrawals/historical status startTime endTime limit
GET /api/v1/spot/orders/open symbol
GET /api/v1/spot/trades symbol! orderId startTime endTime fromId limit
GET /api/v1/spot/trades/historical symbol! orderId startTime endTime fromId limit
GET /api/v1/ebes/trades symbol! orderId startTime endTime fromId limit
POST /api/v1/spot/order/create symbol! action! type! price! quantity!
POST /api/v1/spot/order/cancel order_id!
POST /api/v1/spot/orders/cancel symbol!
POST /api/v1/spot/orders/cancel/all
`;
