// The catalogue of faults (order-truth §7): market data and transport.
import { MINUTE } from '../../src/domain/time.ts';
import { elsewhere, group, SELDOM, SOMETIMES, simulated } from './catalogue-row.ts';
import type { FaultSpec } from './fault-kinds.ts';

export const MARKET_FAULTS: readonly FaultSpec[] = [
  ...group('market-data', [
    simulated(
      'F59',
      'empty bid or ask side / empty book',
      { via: 'answer', fault: 'empty-side', on: 'order-book' },
      { magnitude: SOMETIMES },
    ),
    simulated(
      'F60',
      'crossed / locked book',
      { via: 'answer', fault: 'crossed', on: 'order-book' },
      { magnitude: SOMETIMES },
    ),
    simulated(
      'F61',
      'level price ×10, ×0.1, ×100 (decimal shift), single read',
      { via: 'answer', fault: 'shifted-decimal', on: 'order-book' },
      { magnitude: SELDOM, excuses: ['jump'] },
    ),
    simulated(
      'F62',
      'same, persistent > 60 s',
      { via: 'timed', fault: 'shifted-book', longestMs: 10 * MINUTE },
      { magnitude: [0.5, 3], halts: ['price'] },
    ),
    simulated(
      'F63',
      'stale book: identical payload/sequence for > Tstale',
      { via: 'timed', fault: 'stale-book', longestMs: 5 * MINUTE },
      { magnitude: [1, 6] },
    ),
    simulated(
      'F64',
      'zero, negative, NaN, 1e-7, "1,234.5"',
      { via: 'answer', fault: 'odd-number', on: 'order-book' },
      { magnitude: SOMETIMES },
    ),
    elsewhere(
      'F65',
      'tick/lot/min-notional changes mid-run',
      'test/unit/domain/steps-and-books.test.ts; what is refused for it: test/unit/trader/market.test.ts.',
    ),
    simulated(
      'F66',
      'symbol halted / delisted / absent from rules',
      { via: 'timed', fault: 'frozen-symbol', longestMs: 40 * MINUTE },
      { magnitude: [0.5, 2], partly: 'halted' },
    ),
    elsewhere('F67', 'our own orders are the only liquidity', 'test/unit/domain/steps-and-books.test.ts.'),
    simulated(
      'F68',
      'book of another symbol under our request',
      { via: 'answer', fault: 'other-symbol', on: 'order-book' },
      { magnitude: SELDOM },
    ),
    elsewhere(
      'F69',
      'reference (if any) and venue disagree > x %',
      'test/unit/reference and test/unit/quoting/features.test.ts; over real sockets: ' +
        'test/process/reference.slow.test.ts.',
    ),
  ]),
  ...group('transport', [
    simulated(
      'F70',
      'DNS failure 30 s–30 min',
      { via: 'timed', fault: 'no-network', longestMs: 30 * MINUTE },
      { magnitude: [0.5, 3] },
    ),
    elsewhere('F71', 'connect timeout; black-hole after SYN', 'test/contract/client-transport.test.ts.'),
    elsewhere('F72', 'TLS expired/self-signed/wrong host', 'test/contract/client-tls.test.ts.'),
    elsewhere(
      'F73',
      'RST pre-headers vs post-headers, same errno',
      'test/contract/client-transport.test.ts, test/contract/paper-delivery.test.ts.',
    ),
    elsewhere(
      'F74',
      'slow-loris 1 B/200 ms; stall mid-body',
      'test/contract/client-transport.test.ts, test/contract/client-paper-faults.test.ts, ' +
        'test/contract/paper-delivery.test.ts.',
    ),
    simulated(
      'F75',
      '200 text/html captive/WAF page; 403 WAF; 418/451',
      { via: 'message', fault: 'page', on: 'any' },
      { magnitude: SELDOM, partly: '200 with a page' },
    ),
    elsewhere(
      'F76',
      'wrong content-length, gzip garbage, 100 MB body',
      'test/contract/client-transport.test.ts, test/contract/paper-delivery.test.ts.',
    ),
    elsewhere(
      'F77',
      '301/307 to another host',
      'test/contract/client-transport.test.ts, test/contract/paper-delivery.test.ts.',
    ),
    elsewhere(
      'F78',
      'keep-alive socket closed as request is written',
      'test/contract/client-transport.test.ts, test/contract/paper-delivery.test.ts.',
    ),
    simulated(
      'F79',
      'response of another request (swapped, cached)',
      { via: 'answer', fault: 'cached', on: 'any' },
      { magnitude: SELDOM, partly: 'an older answer to the same question' },
    ),
    elsewhere('F80', 'IP changed → whitelist 401/403; key revoked mid-run', 'test/process/key-refused.slow.test.ts.'),
    elsewhere(
      'F81',
      'signature breaks on +, space, unicode, empty value, param order',
      'test/contract/client-paper-signing-property.test.ts.',
    ),
    simulated(
      'F82',
      '503 storm 10 min with correct/absurd Retry-After',
      { via: 'timed', fault: 'storm', longestMs: 10 * MINUTE },
      { magnitude: [0.5, 4] },
    ),
  ]),
];
