// N11 and the assets: how many symbols are listed, which trade, whether those of the configuration are among them.
import type { InstrumentSymbol } from '../../../domain/instrument.ts';
import { parseSymbol } from '../../../domain/instrument.ts';
import { readDecimal, readSymbol } from '../../../venue/parsers/fields.ts';
import { type Answer, good } from '../facts/answer.ts';
import { counted, type Finding, open } from '../facts/finding.ts';
import { exactRowsOf, jsonOf, rowsOf } from '../facts/json-body.ts';

export function marketFindings(answers: readonly Answer[], symbols: readonly InstrumentSymbol[]): readonly Finding[] {
  return [
    symbolsFinding(answers, symbols),
    tradedFinding(answers, symbols),
    ...assetsOf(symbols).map((asset) => assetFinding(answers, asset)),
  ];
}

/** `null` where the list could not be read. */
export function listedSymbols(answers: readonly Answer[]): ReadonlySet<InstrumentSymbol> | null {
  const [answer] = good(answers, 'symbols');
  const json = answer && jsonOf(answer);
  if (!Array.isArray(json)) return null;
  return new Set(json.map(readSymbol).filter((symbol) => symbol !== null));
}

function symbolsFinding(answers: readonly Answer[], symbols: readonly InstrumentSymbol[]): Finding {
  const question = { id: 'symbols', question: 'N11 symbols listed' };
  const listed = listedSymbols(answers);
  if (listed === null) return open(question, 'The list of symbols could not be read.');
  const missing = symbols.filter((symbol) => !listed.has(symbol));
  return {
    ...question,
    finding: counted(listed.size, 'symbol'),
    value: { listed: listed.size, missing },
    evidence:
      missing.length === 0
        ? `the list holds ${symbols.join(', ')}`
        : `the list does not hold ${missing.join(', ')}: nothing can be quoted there`,
    confidence: 'proved',
  };
}

/** A symbol trades where its ticker shows a volume: the list itself says nothing about it. */
function tradedFinding(answers: readonly Answer[], symbols: readonly InstrumentSymbol[]): Finding {
  const question = { id: 'traded', question: 'N11 symbols that trade' };
  const answer = good(answers, 'tickers').find(({ symbol }) => symbol === null);
  if (answer === undefined) return open(question, 'The tickers could not be read.');
  const rows = exactRowsOf(answer);
  const traded = rows.flatMap((row) => {
    const symbol = readSymbol(row.symbol);
    return symbol !== null && readDecimal(row.volume)?.gt(0) ? [symbol] : [];
  });
  const idle = symbols.filter((symbol) => !traded.includes(symbol));
  return {
    ...question,
    finding: counted(traded.length, 'symbol'),
    value: { tickers: rows.length, traded: traded.length, idle },
    evidence: [
      `${counted(rows.length, 'ticker')}, ${traded.length} with a volume`,
      ...(idle.length > 0 ? [`no trade in the window of ${idle.join(', ')}`] : []),
    ].join('; '),
    confidence: 'likely',
  };
}

function assetsOf(symbols: readonly InstrumentSymbol[]): readonly string[] {
  return [
    ...new Set(
      symbols.flatMap((symbol) => {
        const assets = parseSymbol(symbol);
        return assets === null ? [] : [assets.base, assets.quote];
      }),
    ),
  ];
}

function assetFinding(answers: readonly Answer[], asset: string): Finding {
  const question = { id: `asset.${asset}`, question: `settings of ${asset}` };
  const [answer] = good(answers, 'assets');
  if (answer === undefined) return open(question, 'The list of assets could not be read.');
  const row = rowsOf(answer).find((each) => typeof each.asset === 'string' && each.asset.toUpperCase() === asset);
  if (row === undefined) return open(question, 'The list of assets does not hold it.');
  const status = row.status === 'ACTIVE' || row.status === 'INACTIVE' ? row.status : 'another word';
  const networks = Array.isArray(row.networks) ? row.networks.length : 0;
  return {
    ...question,
    finding: `${status.toLowerCase()}, ${counted(networks, 'network')}`,
    value: { status, networks },
    evidence: 'the list of assets',
    confidence: 'proved',
  };
}
