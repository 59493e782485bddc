import { dailyEventType, renderSummary, type SourceRef } from '@pulsewire/contract';
import { plainArray, type Tx } from '@pulsewire/database';
import { jsonEvent, type Emit } from '@pulsewire/eventlog';
import { emitSummariesRemoved } from '../model/emit-removed.ts';
import type { RecordOwner } from '../model/types.ts';
import { lockRecords } from '../model/user-lock.ts';

interface Row {
  id: string;
  resource: string;
  provider: string;
  source: SourceRef;
  calendar_date: string | null;
  at_ms: number;
  data: Record<string, unknown>;
  created_ms: number;
  updated_ms: number;
}

/**
 * Emits the stored state of these summaries of a user, and a removal for each one that is not stored: for readers whose state may differ.
 * `sourceIdOf` returns the number of a provider on the wire.
 */
export async function restateSummaries(
  tx: Tx,
  emit: Emit,
  owner: RecordOwner,
  ids: readonly string[],
  sourceIdOf: (provider: string) => number,
): Promise<{ readonly stated: number; readonly removed: number }> {
  await lockRecords(tx, owner.userId);
  const rows = await tx.sql<Row[]>`
    SELECT id, resource, provider, source, calendar_date::text, date_part('epoch', at) * 1000 AS at_ms, data,
           date_part('epoch', created_at) * 1000 AS created_ms, date_part('epoch', updated_at) * 1000 AS updated_ms
    FROM summaries WHERE id = ANY(${plainArray(ids)}::uuid[]) AND user_id = ${owner.userId} AND team_id = ${owner.teamId} ORDER BY id`;
  for (const row of rows) {
    const data = renderSummary({
      summary: {
        kind: 'summary',
        id: row.id,
        resource: row.resource,
        source: row.source,
        calendarDate: row.calendar_date,
        at: Math.round(row.at_ms),
        data: row.data,
      },
      userId: owner.userId,
      createdAt: Math.round(row.created_ms),
      updatedAt: Math.round(row.updated_ms),
      sourceId: sourceIdOf(row.provider),
    });
    emit(jsonEvent({ eventType: dailyEventType(row.resource, 'updated'), ...owner, data }));
  }
  const present = new Set(rows.map(({ id }) => id));
  const absent = ids.filter((id) => !present.has(id));
  emitSummariesRemoved(emit, { owner, origin: 'live', traceId: null }, absent, 'lost');
  return { stated: rows.length, removed: absent.length };
}
