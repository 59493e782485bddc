import { plainArray, type Tx } from '@pulsewire/database';
import { rowsAsTable, type Row } from './columns.ts';
import type { SeriesRange } from './later-receipts.ts';
import type { StoredRows } from './piece-rows.ts';
import { readStoredRows, type StoredForm } from './stored-rows.ts';

export interface Differing {
  /** Rows whose key is not stored. */
  readonly missing: readonly Row[];
  /** Rows that would replace a different value that is not newer. */
  readonly replacing: readonly Row[];
  /** How many differ from a value that is newer. */
  readonly older: number;
}

/**
 * Finds the rows that are new or would replace an older value. Rows of a batch are compared here with the range that they cover, in one scan of
 * the key; looking up each key costs Postgres several times as much.
 */
export async function findDiffering(tx: Tx, rows: readonly Row[], version: bigint, form: StoredForm): Promise<Differing> {
  const byBatch = [...Map.groupBy(rows, ({ batch }) => batch).entries()];
  const stored = await readStoredRows(
    tx,
    byBatch.map(([batch]) => batch),
    version,
    form,
  );
  const missing: Row[] = [];
  const replacing: Row[] = [];
  const others: Row[] = [];
  for (const [index, [, ofBatch]] of byBatch.entries()) {
    const range = stored[index];
    if (!range || ofBatch.some(({ entry }) => entry.sample.extra !== undefined)) others.push(...ofBatch);
    else compare(ofBatch, range, missing, replacing);
  }
  if (others.length === 0) return { missing, replacing, older: 0 };
  const looked = await lookUp(tx, others, version, form);
  return { missing: [...missing, ...looked.missing], replacing: [...replacing, ...looked.replacing], older: looked.older };
}

/** Both are in order of time, each time once. */
function compare(rows: readonly Row[], stored: StoredRows, missing: Row[], replacing: Row[]): void {
  let at = 0;
  for (const row of rows) {
    const { ts } = row.entry.sample;
    while (at < stored.ts.length && (stored.ts[at] as number) < ts) at += 1;
    if (stored.ts[at] !== ts) missing.push(row);
    else if (!isEqual(row, stored, at)) replacing.push(row);
  }
}

function isEqual(
  { entry: { sample }, contextId }: Row,
  { value, value2, end, offset, contextId: contexts }: StoredRows,
  at: number,
): boolean {
  return (
    (value[at] ?? null) === sample.value &&
    (value2[at] ?? null) === (sample.value2 ?? null) &&
    (end[at] ?? null) === (sample.end ?? null) &&
    (offset[at] ?? null) === sample.timezoneOffset &&
    (contexts[at] ?? null) === contextId
  );
}

/** Compares in Postgres, with a lookup for each key; where there are pieces, with all samples of the ranges. */
async function lookUp({ sql }: Tx, rows: readonly Row[], version: bigint, form: StoredForm): Promise<Differing> {
  const ranges = form === 'rows' ? [] : rangesOf(rows);
  const column = (pick: (range: SeriesRange) => number) => plainArray(ranges.map(pick));
  const stored =
    form === 'rows'
      ? sql`samples`
      : sql`(
        SELECT r.id AS user_source_id, r.series, s.* FROM unnest(
          ${column(({ userSourceId }) => userSourceId)}::int[], ${column(({ series }) => series)}::smallint[],
          ${column(({ fromMs }) => fromMs)}::float8[], ${column(({ toMs }) => toMs)}::float8[]) AS r(id, series, from_ms, to_ms)
        CROSS JOIN LATERAL stored_samples(r.id, r.series, to_timestamp(r.from_ms / 1000), to_timestamp(r.to_ms / 1000)) s OFFSET 0)`;
  const differing = await sql<{ ord: string; is_new: boolean; is_older: boolean | null }[]>`
    SELECT i.ord, s.ts IS NULL AS is_new, s.version > ${version.toString()}::bigint AS is_older
    FROM ${rowsAsTable(sql, rows)}
    LEFT JOIN ${stored} s ON s.user_source_id = i.user_source_id AND s.series = i.series AND s.ts = i.ts
    WHERE s.ts IS NULL
      OR (s.value, s.value2, s.end_ts, s.tz_offset, s.context_id, s.extra) IS DISTINCT FROM (i.value, i.value2, i.end_ts, i.tz_offset, i.context_id, i.extra)
    ORDER BY i.ord`;
  const missing: Row[] = [];
  const replacing: Row[] = [];
  const current = differing.filter(({ is_older: isOlder }) => isOlder !== true);
  for (const { ord, is_new } of current) (is_new ? missing : replacing).push(rows[Number(ord) - 1] as Row);
  return { missing, replacing, older: differing.length - current.length };
}

/** The range of each series; the rows of one are together and in order of time. */
function rangesOf(rows: readonly Row[]): readonly SeriesRange[] {
  return [...Map.groupBy(rows, ({ batch }) => batch)].map(([{ userSourceId, series }, own]) => {
    return { userSourceId, series, fromMs: own[0]?.entry.sample.ts ?? 0, toMs: own.at(-1)?.entry.sample.ts ?? 0 };
  });
}
