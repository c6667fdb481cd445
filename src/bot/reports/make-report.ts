// `report`: a day, a week or a month, from journal and memory file of a state folder, even while the bot runs. Reads
// only.
import { decimal } from '../../domain/decimal.ts';
import { parseSymbol } from '../../domain/instrument.ts';
import type { Clock } from '../../ports/clock.ts';
import { assertPageWritable } from '../base/durable-file.ts';
import { EXIT, type ExitCode, StartError } from '../base/exit-codes.ts';
import { calendarOf, type Day, type Period, parseDay } from '../books/local-time.ts';
import { exactOf } from '../books/make-statement.ts';
import type { Books } from '../books/read-books.ts';
import { booksOf, withJournalOf } from '../books/read-journal.ts';
import type { CommandIo } from '../io/command-io.ts';
import { accountLine, accountNamed } from '../keys/account-named.ts';
import { memoryPath } from '../memory/memory-file.ts';
import { type MemoryReader, readMemory } from '../memory/read-memory.ts';
import { costsIn } from '../settings/resolve.ts';
import type { Settings } from '../settings/types.ts';
import { type Remembered, reportJson, reportOf, reportPeriod, type SPANS } from './report.ts';
import { reportText, writeReportPage } from './report-sections.ts';

export interface ReportRequest {
  readonly span: (typeof SPANS)[number];
  /** A day such as 2026-07-01; null is today. */
  readonly of: string | null;
  /** Null: all configured symbols. */
  readonly symbol: string | null;
  readonly json: boolean;
  /** Where to write the page; null writes none. */
  readonly html: string | null;
  readonly clock: Clock;
}

/** Returns 65 if records of money are missing, after writing the report. Throws `StartError` (64, 73, 74). */
export function makeReport(settings: Settings, io: CommandIo, request: ReportRequest): ExitCode {
  const { span, of, json, html, clock } = request;
  if (html !== null) assertPageWritable(html);
  const calendar = calendarOf(settings.statement.timeZone);
  const day = of === null ? calendar.dayOf(clock.now()) : dayIn(of);
  const period = reportPeriod(span, day, calendar);
  return withJournalOf(settings, { environment: io.environment, clock }, (reading) => {
    const { books, ledger, differences } = booksOf(reading);
    const isWhole = differences.length === 0 && books.unfounded === 0;
    const runs = runsOf(settings, request.symbol, marketsIn(books, period));
    return withMemory(settings, io, (reader) => {
      const memory = rememberedIn(reader, period);
      const now = clock.now();
      const report = reportOf({ books, ledger, isWhole, period, now, runs, memory });
      const account = accountNamed(settings);
      if (html !== null) writeReportPage(html, report, { account: accountLine(account), reader, now });
      io.out(json ? reportJson(account, report) : [accountLine(account), ...reportText(report)].join('\n'));
      if (html !== null) io.err(`The page is ${html}.`);
      return isWhole ? EXIT.done : EXIT.unreadableData;
    });
  });
}

function dayIn(text: string): Day {
  const day = parseDay(text);
  if (day !== null) return day;
  throw new StartError(EXIT.usage, `--of is '${text}': a day such as 2026-07-01 was expected.`);
}

/** Markets in which the bot traded in the period: the statement has their money, whatever is configured now. */
function marketsIn({ movements }: Books, { from, to }: Period): readonly string[] {
  const own = movements.filter(({ happenedAt: at, trade }) => at >= from && at < to && trade?.origin === 'strategy');
  return [...new Set(own.flatMap(({ trade }) => trade?.fill.symbol ?? []))].sort();
}

function runsOf(settings: Settings, symbol: string | null, traded: readonly string[]) {
  const configured = settings.trader.runs.map(({ instrument }) => {
    const { symbol: name, base, quote } = instrument;
    return { symbol: name, base, quote };
  });
  const others = traded
    .filter((name) => configured.every((run) => run.symbol !== name))
    .flatMap((name) => {
      const assets = parseSymbol(name);
      return assets === null ? [] : [{ symbol: name, ...assets }];
    });
  const wanted = [...configured, ...others].filter((run) => symbol === null || run.symbol === symbol);
  if (wanted.length === 0) {
    const names = [...configured, ...others].map((run) => run.symbol).join(', ');
    throw new StartError(EXIT.usage, `--symbol is '${symbol}': one of ${names} was expected.`);
  }
  return wanted.map((run) => {
    const { taxTreatment, feeTaxRatio } = costsIn(settings, run.symbol);
    return { ...run, treatment: taxTreatment, feeTaxRatio: exactOf(feeTaxRatio) };
  });
}

/** An unreadable file counts as none: the figures of money come from the journal. */
function withMemory<T>({ stateFolder }: Settings, io: CommandIo, work: (reader: MemoryReader | null) => T): T {
  const file = memoryPath(stateFolder);
  let reader: MemoryReader | null = null;
  try {
    reader = readMemory(file);
  } catch {
    io.err(`${file} can't be read: the report is made from the journal alone.`);
  }
  try {
    return work(reader);
  } finally {
    reader?.close();
  }
}

function rememberedIn(reader: MemoryReader | null, { from, to }: Period): Remembered {
  if (reader === null) return { since: null, counts: [], notices: [], priceAt: () => null };
  return {
    since: reader.since(),
    counts: reader.counts({ from, to }),
    notices: reader.notices({ from, to }),
    priceAt: (symbol, at) => {
      const point = reader.lastPoint(symbol, at);
      if (point === null || point.reference === null) return null;
      return { price: exactOf(decimal(String(point.reference))), at: point.at };
    },
  };
}
