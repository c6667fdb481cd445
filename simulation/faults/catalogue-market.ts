// The catalogue of faults (order-truth §7): market data and transport.
import { MINUTE } from '../../src/domain/time.ts';
import { elsewhere, group, SELDOM, SOMETIMES, simulated } from './catalogue-row.ts';
import type { FaultSpec } from './fault-kinds.ts';

export const MARKET_FAULTS: readonly FaultSpec[] = [
  ...group('market-data', [
    simulated(
      'F59',
      ['empty bid or ask side / empty book', 'cancel both sides; no quote (no fallback price)'],
      { via: 'answer', fault: 'empty-side', on: 'order-book' },
      { magnitude: SOMETIMES },
    ),
    simulated(
      'F60',
      ['crossed / locked book', 'no quote until k clean reads'],
      { via: 'answer', fault: 'crossed', on: 'order-book' },
      { magnitude: SOMETIMES },
    ),
    simulated(
      'F61',
      ['level price ×10, ×0.1, ×100 (decimal shift), single read', 'outlier filter; collar vs last good'],
      { via: 'answer', fault: 'shifted-decimal', on: 'order-book' },
      { magnitude: SELDOM, excuses: ['jump'] },
    ),
    simulated(
      'F62',
      ['same, persistent > 60 s', 'HALT, operator confirms new regime'],
      { via: 'timed', fault: 'shifted-book', longestMs: 10 * MINUTE },
      { magnitude: [0.5, 3], halts: ['price'] },
    ),
    simulated(
      'F63',
      ['stale book: identical payload/sequence for > Tstale', 'cancel; no quote'],
      { via: 'timed', fault: 'stale-book', longestMs: 5 * MINUTE },
      { magnitude: [1, 6] },
    ),
    simulated(
      'F64',
      [
        'zero, negative, NaN, 1e-7, "1,234.5"',
        'decimal-string parser refuses (JS: parseFloat("1,234.5")=1, Number("")=0)',
      ],
      { via: 'answer', fault: 'odd-number', on: 'order-book' },
      { magnitude: SOMETIMES },
    ),
    elsewhere(
      'F65',
      ['tick/lot/min-notional changes mid-run', 'rules refresh; re-quantise; no reject loop'],
      'unit',
      'test/unit/domain/steps-and-books.test.ts; what is refused for it: test/unit/trader/market.test.ts.',
    ),
    simulated(
      'F66',
      ['symbol halted / delisted / absent from rules', 'cancel, flat-out policy, other symbols continue'],
      { via: 'timed', fault: 'frozen-symbol', longestMs: 40 * MINUTE },
      { magnitude: [0.5, 2], partly: 'halted' },
    ),
    elsewhere(
      'F67',
      ['our own orders are the only liquidity', 'own size removed from mid'],
      'unit',
      'test/unit/domain/steps-and-books.test.ts.',
    ),
    simulated(
      'F68',
      ['book of another symbol under our request', 'symbol echo/price-continuity check'],
      { via: 'answer', fault: 'other-symbol', on: 'order-book' },
      { magnitude: SELDOM },
    ),
    elsewhere(
      'F69',
      ['reference (if any) and venue disagree > x %', 'widen or stop'],
      'unit',
      'test/unit/reference and test/unit/quoting/features.test.ts; over real sockets: ' +
        'test/process/reference.slow.test.ts.',
    ),
  ]),
  ...group('transport', [
    simulated(
      'F70',
      ['DNS failure 30 s–30 min', 'no order lost/failed (the #8457 case)'],
      { via: 'timed', fault: 'no-network', longestMs: 30 * MINUTE },
      { magnitude: [0.5, 3] },
    ),
    elsewhere(
      'F71',
      ['connect timeout; black-hole after SYN', 'NOT_SENT'],
      'contract',
      'test/contract/client-transport.test.ts.',
    ),
    elsewhere(
      'F72',
      ['TLS expired/self-signed/wrong host', 'hard stop, never disabled verification'],
      'contract',
      'test/contract/client-tls.test.ts.',
    ),
    elsewhere(
      'F73',
      ['RST pre-headers vs post-headers, same errno', 'classified by hook'],
      'contract',
      'test/contract/client-transport.test.ts, test/contract/paper-delivery.test.ts.',
    ),
    elsewhere(
      'F74',
      ['slow-loris 1 B/200 ms; stall mid-body', 'total deadline fires'],
      'contract',
      'test/contract/client-transport.test.ts, test/contract/client-paper-faults.test.ts, ' +
        'test/contract/paper-delivery.test.ts.',
    ),
    simulated(
      'F75',
      ['200 text/html captive/WAF page; 403 WAF; 418/451', 'never "empty list", never reject proof'],
      { via: 'message', fault: 'page', on: 'any' },
      { magnitude: SELDOM, also: ['contract'], partly: '200 with a page' },
    ),
    elsewhere(
      'F76',
      ['wrong content-length, gzip garbage, 100 MB body', 'size cap, parse error class'],
      'contract',
      'test/contract/client-transport.test.ts, test/contract/paper-delivery.test.ts.',
    ),
    elsewhere(
      'F77',
      ['301/307 to another host', 'not followed; alarm (ASVS 15.3.2)'],
      'contract',
      'test/contract/client-transport.test.ts, test/contract/paper-delivery.test.ts.',
    ),
    elsewhere(
      'F78',
      [
        'keep-alive socket closed as request is written',
        'no silent resend (measured: fetch, undici and node:http deliver once; got delivers GET and DELETE three ' +
          'times at its defaults)',
      ],
      'contract',
      'test/contract/client-transport.test.ts, test/contract/paper-delivery.test.ts.',
    ),
    simulated(
      'F79',
      [
        'response of another request (swapped, cached)',
        'correlation check (symbol/side/ts echo where present), per-request connection in doubt',
      ],
      { via: 'answer', fault: 'cached', on: 'any' },
      { magnitude: SELDOM, partly: 'an older answer to the same question' },
    ),
    elsewhere(
      'F80',
      ['IP changed → whitelist 401/403; key revoked mid-run', 'HALT(auth), watchdog told, no lockout hammering'],
      'process',
      'test/process/key-refused.slow.test.ts.',
    ),
    elsewhere(
      'F81',
      ['signature breaks on +, space, unicode, empty value, param order', 'property test: signed bytes == sent bytes'],
      'contract',
      'test/contract/client-paper-signing-property.test.ts, test/contract/client-paper-signing.test.ts.',
    ),
    simulated(
      'F82',
      ['503 storm 10 min with correct/absurd Retry-After', 'backoff with jitter, capped, budgeted'],
      { via: 'timed', fault: 'storm', longestMs: 10 * MINUTE },
      { magnitude: [0.5, 4] },
    ),
  ]),
];
