import type { OffsetOrigin } from '@pulsewire/contract';
import { plainArray, type Executor } from '@pulsewire/database';
import { originName } from '../model/offset-origin.ts';

/** What is stored of a summary. */
export interface StoredSummary {
  readonly data: Readonly<Record<string, unknown>>;
  readonly offsetFrom: OffsetOrigin | undefined;
}

/** The user's stored summaries among these ids. */
export async function findSummaries(
  { sql }: Executor,
  { teamId, userId }: { readonly teamId: string; readonly userId: string },
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredSummary>> {
  const rows = await sql<{ id: string; data: StoredSummary['data']; origin: number | null }[]>`
    SELECT id, data, tz_origin AS origin FROM summaries WHERE id = ANY(${plainArray(ids)}::uuid[]) AND user_id = ${userId} AND team_id = ${teamId}`;
  return new Map(rows.map(({ id, data, origin }) => [id, { data, offsetFrom: originName(origin) }]));
}
