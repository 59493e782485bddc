import { renderDateTime } from '@pulsewire/contract';
import type { Executor } from '@pulsewire/database';
import { entryContext, openRaw, type RawCipher } from '../model/seal-raw.ts';
import { inWindow, type SummaryPosition, type SummaryQuery } from '../reads/read-summaries.ts';
import type { RunQuery } from '../reads/scan-samples.ts';

const entriesPerPage = 20;
/** Sealed bytes of a page, beyond its first entry: one may have a megabyte of JSON. */
const pageBytesMax = 256 * 1024;
/** JSON that is open at the same time, beyond one entry. */
const openBytesMax = 128 * 1024;

/** The raw form of a summary. */
export interface RawEntry {
  readonly id: string;
  readonly provider: string;
  readonly deviceId: string | null;
  /** The provider's own id of the record, or its local day where it has none. */
  readonly externalId: string;
  /** The provider's JSON. */
  readonly data: unknown;
  /** The sport of a workout; null for others. */
  readonly sport: unknown;
  /** The instant by which reads filter, and those of the raw form itself; as texts of the contract. */
  readonly timestamp: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

interface Row {
  id: string;
  provider: string;
  device_id: string | null;
  sport: unknown;
  body: Buffer;
  at_ms: number;
  at_text: string;
  created_ms: number;
  updated_ms: number;
  has_more: boolean;
}

/** The raw forms of the summaries of a window, ascending, in pages. */
export async function* scanRawEntries(
  executor: Executor,
  cipher: RawCipher,
  query: SummaryQuery,
  run: RunQuery,
): AsyncGenerator<readonly RawEntry[]> {
  let after: SummaryPosition | null = null;
  do {
    const from: SummaryPosition | null = after;
    const rows: readonly Row[] = await run(() => readPage(executor, query, from));
    yield* openInOrder(cipher, query.userId, rows);
    const last = rows.at(-1);
    after = last?.has_more ? { at: last.at_text, id: last.id } : null;
  } while (after !== null);
}

/** A text that changes whenever a raw form of the resource and user changes. */
export async function stateOfRawEntries({ sql }: Executor, query: Pick<SummaryQuery, 'teamId' | 'userId' | 'resource'>): Promise<string> {
  const [row] = await sql<{ state: string }[]>`
    SELECT concat(count(*), '-', max(r.updated_at), '-', max(s.updated_at)) AS state
    FROM summaries s JOIN raw_entries r ON r.summary_id = s.id
    WHERE s.user_id = ${query.userId} AND s.team_id = ${query.teamId} AND s.resource = ${query.resource}`;
  return row?.state ?? '';
}

/** Opens few at a time: compressed, a page of the longest ones takes a thousandth of the memory that it takes open. */
async function* openInOrder(cipher: RawCipher, userId: string, rows: readonly Row[]): AsyncGenerator<readonly RawEntry[]> {
  let open: RawEntry[] = [];
  let bytes = 0;
  for (const row of rows) {
    const json = await openRaw(cipher, row.body, entryContext(row.id, userId));
    open.push(toEntry(row, json));
    bytes += json.length;
    if (bytes < openBytesMax) continue;
    yield open;
    [open, bytes] = [[], 0];
  }
  if (open.length > 0) yield open;
}

async function readPage({ sql }: Executor, query: SummaryQuery, after: SummaryPosition | null): Promise<readonly Row[]> {
  return sql<Row[]>`
    SELECT id, provider, device_id, sport, body, at::text AS at_text, date_part('epoch', at) * 1000 AS at_ms,
           date_part('epoch', created_at) * 1000 AS created_ms, date_part('epoch', updated_at) * 1000 AS updated_ms, nth < found AS has_more
    FROM (
      SELECT p.*, row_number() OVER w AS nth, sum(octet_length(body)) OVER w AS bytes, count(*) OVER () AS found
      FROM (
        SELECT s.id, s.provider, s.at, s.source->>'deviceId' AS device_id, s.data->'sport' AS sport, r.body, r.created_at, r.updated_at
        FROM summaries s JOIN raw_entries r ON r.summary_id = s.id
        WHERE s.user_id = ${query.userId} AND s.team_id = ${query.teamId} AND s.resource = ${query.resource}
          AND (${query.provider ?? ''} = '' OR provider = ${query.provider ?? ''}) ${inWindow(sql, query.window)}
          ${after === null ? sql`` : sql`AND (s.at, s.id) > (${after.at}::timestamptz, ${after.id}::uuid)`}
        ORDER BY s.at, s.id LIMIT ${entriesPerPage + 1}
      ) p WINDOW w AS (ORDER BY at, id)
    ) q
    WHERE nth = 1 OR (nth <= ${entriesPerPage} AND bytes <= ${pageBytesMax}) ORDER BY at, id`;
}

function toEntry(row: Row, json: string): RawEntry {
  const opened = JSON.parse(json) as Pick<RawEntry, 'externalId' | 'data'>;
  return {
    id: row.id,
    provider: row.provider,
    deviceId: row.device_id,
    externalId: opened.externalId,
    data: opened.data,
    sport: row.sport ?? null,
    timestamp: renderDateTime(Math.round(row.at_ms)),
    createdAt: renderDateTime(Math.floor(row.created_ms)),
    updatedAt: renderDateTime(Math.floor(row.updated_ms)),
  };
}
