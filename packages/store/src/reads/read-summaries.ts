import { renderSummary, type SourceRef, type WireSummary } from '@pulsewire/contract';
import type { Executor } from '@pulsewire/database';

/** A window of local days, or of instants; both ends inclusive. */
export type SummaryWindow =
  | { readonly by: 'day'; readonly from: string; readonly to: string }
  | { readonly by: 'instant'; readonly fromMs: number; readonly toMs: number }
  | { readonly by: 'all' };

export interface SummaryQuery {
  readonly teamId: string;
  readonly userId: string;
  readonly resource: string;
  readonly provider?: string;
  readonly window: SummaryWindow;
  /** Provider slug to its number on the wire; only meals include it. */
  readonly sourceIdOf?: (provider: string) => number;
}

interface Row {
  id: string;
  provider: string;
  source: SourceRef;
  calendar_date: string | null;
  at_ms: number;
  at_text: string;
  data: Record<string, unknown>;
  created_ms: number;
  updated_ms: number;
}

/** Where a page ends: the text of the instant, with all its digits, and the id. */
export interface SummaryPosition {
  readonly at: string;
  readonly id: string;
}

/** A summary with its instant, which not every summary has on the wire. */
export interface TimedSummary {
  readonly summary: WireSummary;
  /** ms since the epoch. */
  readonly atMs: number;
}

export interface SummaryPage {
  readonly summaries: readonly WireSummary[];
  /** The instant of each, in the same order. */
  readonly instants: readonly number[];
  /** Where the next page begins; null on the last one. */
  readonly next: SummaryPosition | null;
}

/** The condition of a window on `calendar_date` or `at`. */
export function inWindow(sql: Executor['sql'], window: SummaryWindow) {
  if (window.by === 'all') return sql``;
  if (window.by === 'day') return sql`AND calendar_date >= ${window.from}::date AND calendar_date <= ${window.to}::date`;
  return sql`AND at >= to_timestamp(${window.fromMs}::float8 / 1000) AND at <= to_timestamp(${window.toMs}::float8 / 1000)`;
}

/** The latest version of each summary in the window, ascending. */
export async function readSummaries(executor: Executor, query: SummaryQuery): Promise<readonly WireSummary[]> {
  return (await readSummaryPage(executor, query, { after: null, limit: null })).summaries;
}

/** The same with the instants. */
export async function readTimedSummaries(executor: Executor, query: SummaryQuery): Promise<readonly TimedSummary[]> {
  const { summaries, instants } = await readSummaryPage(executor, query, { after: null, limit: null });
  return summaries.map((summary, index) => ({ summary, atMs: instants[index] ?? Number.NaN }));
}

/** One page of the summaries of a window, ascending; `limit` null: all of them. */
export async function readSummaryPage(
  { sql }: Executor,
  query: SummaryQuery,
  { after, limit }: { readonly after: SummaryPosition | null; readonly limit: number | null },
): Promise<SummaryPage> {
  const rows = await sql<Row[]>`
    SELECT id, provider, source, calendar_date::text, at::text AS at_text, date_part('epoch', at) * 1000 AS at_ms, data,
           date_part('epoch', created_at) * 1000 AS created_ms, date_part('epoch', updated_at) * 1000 AS updated_ms
    FROM summaries
    WHERE user_id = ${query.userId} AND team_id = ${query.teamId} AND resource = ${query.resource}
      AND (${query.provider ?? ''} = '' OR provider = ${query.provider ?? ''}) ${inWindow(sql, query.window)}
      ${after === null ? sql`` : sql`AND (at, id) > (${after.at}::timestamptz, ${after.id}::uuid)`}
    ORDER BY at, id ${limit === null ? sql`` : sql`LIMIT ${limit}`}`;
  const last = limit !== null && rows.length === limit ? rows.at(-1) : undefined;
  const summaries = rows.map((row) =>
    renderSummary({
      summary: {
        kind: 'summary',
        id: row.id,
        resource: query.resource,
        source: row.source,
        calendarDate: row.calendar_date,
        at: Math.round(row.at_ms),
        data: row.data,
      },
      userId: query.userId,
      createdAt: Math.round(row.created_ms),
      updatedAt: Math.round(row.updated_ms),
      ...(query.sourceIdOf && { sourceId: query.sourceIdOf(row.provider) }),
    }),
  );
  const instants = rows.map(({ at_ms: ms }) => Math.round(ms));
  return { summaries, instants, next: last ? { at: last.at_text, id: last.id } : null };
}
