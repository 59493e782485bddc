import { AppError, uuidv7 } from '@pulsewire/kernel';
import { dailyEventType, renderSummary, type Summary } from '@pulsewire/contract';
import { plainArray, textArray, type Tx } from '@pulsewire/database';
import type { Emit } from '@pulsewire/eventlog';
import { originCode } from '../model/offset-origin.ts';
import type { Counts, RecordBatch } from '../model/types.ts';

interface Found {
  readonly ord: string;
  readonly user_id: string | null;
  readonly created_ms: number | null;
  readonly now_ms: number;
  /** Data of this user was received after this response. */
  readonly is_late: boolean;
  /** What is stored differs and was received after this response. */
  readonly is_older: boolean | null;
}

/** Writes summaries by id: data received earlier loses, equal data is not written, changed summaries are emitted completely. */
export async function writeSummaries(tx: Tx, emit: Emit, batch: RecordBatch, received: readonly Summary[]): Promise<Counts> {
  const { sql } = tx;
  // Of two with the same id, the later one in the response wins.
  const summaries = [...new Map(received.map((summary) => [summary.id, summary])).values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const version = batch.version.toString();
  const differing = await sql<Found[]>`
    SELECT i.ord, s.user_id, date_part('epoch', s.created_at) * 1000 AS created_ms, date_part('epoch', clock_timestamp()) * 1000 AS now_ms,
      EXISTS (SELECT 1 FROM summary_receipts r WHERE r.user_id = ${batch.owner.userId} AND r.version > ${version}::bigint) AS is_late,
      s.version > ${version}::bigint AS is_older
    FROM ${asTable(tx, batch, summaries)} LEFT JOIN summaries s ON s.id = i.id
    WHERE s.id IS NULL OR (s.data, s.source, s.calendar_date, s.at) IS DISTINCT FROM (i.data, i.source, i.calendar_date, i.at)
    ORDER BY i.ord`;
  const found = differing.filter(({ is_older: isOlder }) => isOlder !== true);
  // Checked for new ids too: one that was removed after this response must not be restored.
  const outdated = found.some((row) => row.is_late) ? await outdatedIds(tx, batch, summaries) : new Set<string>();
  const changes = found
    .map((row) => ({ row, summary: summaries[Number(row.ord) - 1] as Summary }))
    .filter(({ summary }) => !outdated.has(summary.id));
  if (changes.some(({ row }) => row.user_id !== null && row.user_id !== batch.owner.userId)) {
    throw new AppError({ code: 'summary_of_other_user', kind: 'bug', message: 'A summary id already belongs to another user' });
  }
  const nowMs = Math.floor(found[0]?.now_ms ?? 0);
  if (changes.length > 0)
    await upsert(
      tx,
      batch,
      changes.map(({ summary }) => summary),
      nowMs,
    );
  if (changes.length < summaries.length)
    await writeReceipt(
      tx,
      batch,
      summaries.map(({ id }) => id),
    );
  for (const { row, summary } of changes) {
    const createdAt = row.created_ms === null ? nowMs : Math.floor(row.created_ms);
    const json = JSON.stringify(
      renderSummary({ summary, userId: batch.owner.userId, createdAt, updatedAt: nowMs, sourceId: batch.sourceId }),
    );
    emit({
      eventId: uuidv7(),
      eventType: dailyEventType(summary.resource, row.user_id === null ? 'created' : 'updated'),
      ...batch.owner,
      origin: batch.origin,
      traceId: batch.traceId,
      body: { kind: 'json', json },
    });
  }
  const created = changes.filter(({ row }) => row.user_id === null).length;
  return { received: received.length, created, updated: changes.length - created, older: differing.length - changes.length };
}

function originOf({ offsetsFrom }: RecordBatch, { data, offsetFrom = offsetsFrom }: Summary): number | null {
  return typeof data['timezone_offset'] === 'number' ? originCode(offsetFrom) : null;
}

function asTable({ sql }: Tx, batch: RecordBatch, summaries: readonly Summary[]) {
  return sql`(
    SELECT u.id, u.resource, u.provider, u.source::jsonb AS source, u.calendar_date, to_timestamp(u.at / 1000) AS at, u.data::jsonb AS data, u.tz_origin, u.ord
    FROM unnest(
      ${plainArray(summaries.map((summary) => summary.id))}::uuid[], ${textArray(summaries.map((summary) => summary.resource))}::text[],
      ${textArray(summaries.map((summary) => summary.source.provider))}::text[],
      ${textArray(summaries.map((summary) => JSON.stringify(summary.source)))}::text[],
      ${plainArray(summaries.map((summary) => summary.calendarDate))}::date[], ${plainArray(summaries.map((summary) => summary.at))}::float8[],
      ${textArray(summaries.map((summary) => JSON.stringify(summary.data)))}::text[],
      ${plainArray(summaries.map((summary) => originOf(batch, summary)))}::smallint[]
    ) WITH ORDINALITY AS u(id, resource, provider, source, calendar_date, at, data, tz_origin, ord)
  ) AS i`;
}

async function upsert(tx: Tx, batch: RecordBatch, summaries: readonly Summary[], nowMs: number): Promise<void> {
  const { sql } = tx;
  await sql`
    INSERT INTO summaries (id, team_id, user_id, resource, provider, source, calendar_date, at, data, version, created_at, updated_at, tz_origin)
    SELECT i.id, ${batch.owner.teamId}::uuid, ${batch.owner.userId}::uuid, i.resource, i.provider, i.source, i.calendar_date, i.at, i.data,
           ${batch.version.toString()}::bigint, to_timestamp(${nowMs}::float8 / 1000), to_timestamp(${nowMs}::float8 / 1000), i.tz_origin
    FROM ${asTable(tx, batch, summaries)} ORDER BY i.ord
    ON CONFLICT (id) DO UPDATE SET source = excluded.source, calendar_date = excluded.calendar_date, at = excluded.at,
      data = excluded.data, version = excluded.version, updated_at = excluded.updated_at, tz_origin = excluded.tz_origin`;
}

/** Records that these ids were received, or deleted, at this version. */
export async function writeReceipt(
  { sql }: Tx,
  batch: Pick<RecordBatch, 'owner' | 'version'>,
  ids: readonly string[],
  isRemoval = false,
): Promise<void> {
  await sql`
    INSERT INTO summary_receipts (user_id, version, day, ids, is_removal)
    VALUES (${batch.owner.userId}, ${batch.version.toString()}, (now() AT TIME ZONE 'UTC')::date, ${plainArray(ids)}::uuid[], ${isRemoval})`;
}

/** Ids that were received again, or deleted, after this version. */
async function outdatedIds({ sql }: Tx, batch: RecordBatch, summaries: readonly Summary[]): Promise<ReadonlySet<string>> {
  const ids = plainArray(summaries.map((summary) => summary.id));
  const rows = await sql<{ id: string }[]>`
    SELECT DISTINCT r.id FROM (
      SELECT unnest(ids) AS id FROM summary_receipts WHERE user_id = ${batch.owner.userId} AND version > ${batch.version.toString()} AND ids && ${ids}::uuid[]
    ) r`;
  return new Set(rows.map((row) => row.id));
}
