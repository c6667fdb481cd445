// The market of a thin exchange: two to three percent wide and slow, with limits and money that rarely bind.
import { decimal } from '../../src/domain/decimal.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import type { Profile } from './profile.ts';

export const instrumentOf = (base: string, lotSize: string): Instrument => ({
  symbol: `${base}/INR`,
  base,
  quote: 'INR',
  tickSize: decimal(1),
  lotSize: decimal(lotSize),
  minNotional: decimal(100),
});

export const BTC = instrumentOf('BTC', '0.00001');
export const ETH = instrumentOf('ETH', '0.0001');

const QUOTES = {
  levels: 2,
  halfSpreadBps: 90,
  halfSpreadStepBps: 40,
  orderSizeStep: '20000',
  sizeUnit: 'quote',
  skewBps: 60,
};

export const DEFAULT_PROFILE: Profile = {
  markets: [
    {
      instrument: BTC,
      startPrice: 5_500_000,
      opening: decimal('0.5'),
      limits: {
        maxOrderQuantity: '0.05',
        maxOrderNotional: '200000',
        maxInventoryBase: '1',
        maxOpenNotional: '600000',
        maxOpenNotionalOverAll: '1100000',
      },
      quotes: { ...QUOTES, orderSize: '50000' },
    },
    {
      instrument: ETH,
      startPrice: 300_000,
      opening: decimal(8),
      limits: {
        maxOrderQuantity: '1',
        maxOrderNotional: '150000',
        maxInventoryBase: '20',
        maxOpenNotional: '500000',
        maxOpenNotionalOverAll: '1100000',
      },
      quotes: { ...QUOTES, orderSize: '40000' },
    },
  ],
  openingQuotes: { INR: decimal(5_000_000) },
  charges: { makerFeeRatio: decimal('0.00472'), takerFeeRatio: decimal('0.00472'), tdsRatio: decimal('0.01') },
  effectiveTaxRatio: decimal('0.00069'),
  costFloor: true,
  refresh: { priceToleranceBps: 10, refreshMs: 3_000 },
  messageRate: {},
  walk: { volatilityBpsPerSqrtSecond: 2, reversionPerSecond: 0, jumpsPerHour: 0.5, jumpBps: 40 },
  flow: {},
};
