import { isRawResource, type Summary } from '@pulsewire/contract';
import { plainArray, type Tx } from '@pulsewire/database';
import { entryContext, isSealed, rawBytesMax, sealRaw, type RawCipher } from '../model/seal-raw.ts';
import type { RecordBatch } from '../model/types.ts';

interface Found {
  readonly id: string;
  readonly body: Buffer | null;
}

/**
 * Stores what these summaries were mapped from, for teams with raw data enabled. Call it after `writeSummaries`: an entry belongs to a
 * stored summary, and like that the one received latest wins. A summary without a raw form, or with one that is too long, replaces the
 * stored one with none.
 */
export async function writeRawEntries(tx: Tx, batch: RecordBatch, cipher: RawCipher, received: readonly Summary[]): Promise<void> {
  const { owner } = batch;
  const texts = new Map(received.flatMap((summary) => rawText(summary)));
  if (texts.size === 0) return;
  const kept: { readonly id: string; readonly json: string }[] = [];
  const ended: string[] = [];
  for (const { id, body } of await findCurrent(tx, batch, [...texts.keys()].sort())) {
    const json = texts.get(id) ?? null;
    if (json === null) ended.push(...(body === null ? [] : [id]));
    else if (!(await isSealed(cipher, body, json, entryContext(id, owner.userId)))) kept.push({ id, json });
  }
  if (ended.length > 0) {
    const ids = plainArray(ended);
    await tx.sql`DELETE FROM raw_entries WHERE summary_id = ANY(${ids}::uuid[]) AND user_id = ${owner.userId} AND team_id = ${owner.teamId}`;
  }
  if (kept.length === 0) return;
  const bodies = await Promise.all(kept.map(({ id, json }) => sealRaw(cipher, json, entryContext(id, owner.userId))));
  await tx.sql`
    INSERT INTO raw_entries (summary_id, team_id, user_id, body, created_at, updated_at)
    SELECT i.id, ${owner.teamId}::uuid, ${owner.userId}::uuid, decode(i.body, 'hex'), clock_timestamp(), clock_timestamp()
    FROM unnest(${plainArray(kept.map(({ id }) => id))}::uuid[], ${plainArray(bodies.map((body) => body.toString('hex')))}::text[]) AS i(id, body)
    ON CONFLICT (summary_id) DO UPDATE SET body = excluded.body, updated_at = excluded.updated_at`;
}

/** The id and JSON text of the raw form; null where there is none to store. Nothing for resources without raw forms. */
function rawText({ id, resource, raw }: Summary): [id: string, json: string | null][] {
  if (!isRawResource(resource)) return [];
  const data = raw?.data;
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return [[id, null]];
  const json = JSON.stringify({ externalId: raw?.externalId, data });
  return [[id, Buffer.byteLength(json) > rawBytesMax ? null : json]];
}

/** The stored summaries among `ids` that were not received or removed after this version, with their sealed raw forms. */
function findCurrent({ sql }: Tx, { owner, version }: RecordBatch, ids: readonly string[]): Promise<Found[]> {
  return sql<Found[]>`
    SELECT s.id, r.body FROM summaries s LEFT JOIN raw_entries r ON r.summary_id = s.id
    WHERE s.id = ANY(${plainArray(ids)}::uuid[]) AND s.user_id = ${owner.userId} AND s.team_id = ${owner.teamId} AND s.version <= ${version.toString()}::bigint
      AND NOT EXISTS (
        SELECT 1 FROM summary_receipts c WHERE c.user_id = ${owner.userId} AND c.version > ${version.toString()}::bigint AND s.id = ANY(c.ids))
    ORDER BY s.id`;
}
