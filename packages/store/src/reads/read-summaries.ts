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
  /** Provider slug to its number on the wire; only meals show it. */
  readonly sourceIdOf?: (provider: string) => number;
}

interface Row {
  id: string;
  provider: string;
  source: SourceRef;
  calendar_date: string | null;
  at_ms: number;
  data: Record<string, unknown>;
  created_ms: number;
  updated_ms: number;
}

/** The latest version of each summary in the window, ascending. */
export async function readSummaries({ sql }: Executor, query: SummaryQuery): Promise<readonly WireSummary[]> {
  const { window } = query;
  const inWindow =
    window.by === 'day'
      ? sql`AND calendar_date >= ${window.from}::date AND calendar_date <= ${window.to}::date`
      : window.by === 'instant'
        ? sql`AND at >= to_timestamp(${window.fromMs}::float8 / 1000) AND at <= to_timestamp(${window.toMs}::float8 / 1000)`
        : sql``;
  const rows = await sql<Row[]>`
    SELECT id, provider, source, calendar_date::text, date_part('epoch', at) * 1000 AS at_ms, data,
           date_part('epoch', created_at) * 1000 AS created_ms, date_part('epoch', updated_at) * 1000 AS updated_ms
    FROM summaries
    WHERE user_id = ${query.userId} AND team_id = ${query.teamId} AND resource = ${query.resource}
      AND (${query.provider ?? ''} = '' OR provider = ${query.provider ?? ''}) ${inWindow}
    ORDER BY at, id`;
  return rows.map((row) =>
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
}
