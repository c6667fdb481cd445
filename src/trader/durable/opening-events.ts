// The events that open the ledger, and markets that were configured later.

/** Where reading the own trades of a market begins. */
export interface MarketStart {
  /** The newest own trade that is never booked; null where there is none. */
  readonly cursor: { readonly tradeId: string; readonly venueTime: number } | null;
  /** From then on its trades are booked, by the exchange's clock. */
  readonly from: number;
}

/** All that happened before this moment, by our clock, is in the wallet that is meant, as far as any list may trail. */
export type AccountedTo = number;

export type OpeningEvent =
  | {
      readonly type: 'opening-balance';
      readonly payload: { readonly asset: string; readonly total: string; readonly at: number };
    }
  | {
      readonly type: 'opened';
      /** The newest own trade that was there before the bot, by symbol; null where there was none. */
      readonly payload: {
        readonly at: number;
        /** The same by the exchange's clock. */
        readonly venueAt: number;
        readonly cursors: Readonly<Record<string, { readonly tradeId: string; readonly venueTime: number } | null>>;
        readonly accountedTo: AccountedTo;
      };
    }
  /**
   * Markets that were configured later: what is held of assets that the ledger did not know, and where reading their
   * trades begins.
   */
  | {
      readonly type: 'markets-opened';
      readonly payload: {
        readonly at: number;
        /** The same by the exchange's clock. */
        readonly venueAt: number;
        /** Total of each asset that is opened with them, without what the trades moved that are booked next. */
        readonly balances: Readonly<Record<string, string>>;
        readonly markets: Readonly<Record<string, MarketStart>>;
        readonly accountedTo: AccountedTo;
      };
    };
