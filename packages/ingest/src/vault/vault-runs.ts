import type { PullLane } from '@pulsewire/providers';
import { and, eq, gt, gte, lte } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { rawResponses } from '../model/tables.ts';
import type { NamedObject } from '../sealed/named-object.ts';
import { openPart, type VaultCipher } from '../sealed/seal-part.ts';
import type { StoredResponse, VaultPart } from '../sealed/stored-response.ts';

/** A range of responses: those of windows that overlap these days, both inclusive, and of pushes received on them. */
export interface VaultRange {
  readonly provider: string;
  readonly from: string;
  readonly to: string;
  /** null: all teams; all users. */
  readonly teamId: string | null;
  readonly userId: string | null;
}

/** One reading of a window, or the pushed data of a connection under one version. */
export interface VaultRun extends NamedObject {
  /** With several pushes, that of the last one. */
  readonly runId: string;
  readonly day: string;
  readonly teamId: string;
  readonly userId: string;
  readonly connectionId: string;
  readonly source: 'pull' | 'push';
  readonly pull: string;
  readonly lane: PullLane;
  readonly startDate: string;
  readonly endDate: string;
  readonly version: bigint;
  /** Whether the reading was complete. */
  readonly isWhole: boolean;
}

const usersMax = 200;
const runsMax = 500;
const pushesMax = 100;

/** A page of the users with responses in the range, by id, after `afterId`. */
export async function listVaultUsers({ orm }: Executor, range: VaultRange, afterId: string | null): Promise<readonly string[]> {
  const r = rawResponses;
  const isInRange = and(eq(r.provider, range.provider), lte(r.startDate, range.to), gte(r.endDate, range.from));
  const where = and(
    isInRange,
    range.teamId === null ? undefined : eq(r.teamId, range.teamId),
    range.userId === null ? undefined : eq(r.userId, range.userId),
    afterId === null ? undefined : gt(r.userId, afterId),
  );
  const rows = await run(orm.selectDistinct({ userId: r.userId }).from(r).where(where).orderBy(r.userId).limit(usersMax));
  return rows.map(({ userId }) => userId);
}

type RunColumn =
  | 'run_id'
  | 'day'
  | 'team_id'
  | 'connection_id'
  | 'source'
  | 'pull'
  | 'lane'
  | 'start_date'
  | 'end_date'
  | 'object_id'
  | 'version';

/**
 * A page of the runs of one user after `after`, the newest first. In this order a record is written once, by the newest response that has
 * it, and not by every older one.
 */
export async function listRuns({ sql }: Executor, userId: string, range: VaultRange, after: VaultRun | null): Promise<readonly VaultRun[]> {
  const rows = await sql<(Record<RunColumn, string> & { readonly is_whole: boolean; readonly object_sealed: Buffer | null })[]>`
    SELECT r.*, coalesce(w.object_id, '') AS object_id, w.object_sealed FROM (
      SELECT max(run_id::text)::uuid AS run_id, max(day) AS day, team_id, connection_id, source, min(window_id) AS window_id, min(pull) AS pull,
        min(lane) AS lane, min(start_date) AS start_date, max(end_date) AS end_date, max(coalesce(seen_version, version)) AS version, bool_or(ends_run) AS is_whole
      FROM raw_answers
      WHERE user_id = ${userId} AND provider = ${range.provider} AND start_date <= ${range.to} AND end_date >= ${range.from}
        AND (${range.teamId}::uuid IS NULL OR team_id = ${range.teamId}::uuid)
      GROUP BY team_id, connection_id, source, CASE source WHEN 'push' THEN version::text ELSE run_id::text END HAVING max(version) > 0
    ) r LEFT JOIN pull_windows w ON w.window_id = r.window_id
    WHERE ${after?.runId ?? null}::uuid IS NULL OR (r.version, r.run_id) < (${after ? String(after.version) : null}::bigint, ${after?.runId ?? null}::uuid)
    ORDER BY r.version DESC, r.run_id DESC LIMIT ${runsMax}`;
  return rows.map((row) => ({
    runId: row.run_id,
    day: row.day,
    teamId: row.team_id,
    userId,
    connectionId: row.connection_id,
    source: row.source as VaultRun['source'],
    pull: row.pull,
    lane: row.lane as PullLane,
    startDate: row.start_date,
    endDate: row.end_date,
    objectId: row.object_id,
    objectSealed: row.object_sealed,
    version: BigInt(row.version),
    isWhole: row.is_whole,
  }));
}

/** The vault and its cipher. */
export interface VaultReader {
  readonly database: Executor;
  readonly cipher: VaultCipher;
}

/**
 * One part of a reading, under the version at which it was received last; null when there is none. Throws what `openPart` throws.
 */
export async function readPart(
  { database, cipher }: VaultReader,
  { runId, day, userId }: Pick<VaultRun, 'runId' | 'day' | 'userId'>,
  part: number,
): Promise<VaultPart | null> {
  const r = rawResponses;
  const isPart = and(eq(r.runId, runId), eq(r.day, day), eq(r.part, part), eq(r.userId, userId));
  const [row] = await run(database.orm.select({ body: r.body, seenVersion: r.seenVersion }).from(r).where(isPart));
  if (!row) return null;
  const opened = await openPart(cipher, { runId, part, userId }, row.body);
  const { seenVersion } = row;
  if (seenVersion === null) return opened;
  // Refusals contain no data and have no version.
  const again = (response: StoredResponse) => (response.version > 0n ? { ...response, version: seenVersion } : response);
  return { ...opened, responses: opened.responses.map(again) };
}

/**
 * All pushed data under one version, in the order in which it was stored, whatever days were requested: usually one push, but a longer one
 * may replace a shorter one under the latter's version, and only both together reproduce the result.
 */
export async function readPushed(
  { database: { orm }, cipher }: VaultReader,
  { userId, connectionId, version }: VaultRun,
): Promise<readonly VaultPart[]> {
  const r = rawResponses;
  const where = and(eq(r.userId, userId), eq(r.connectionId, connectionId), eq(r.source, 'push'), eq(r.version, version));
  const rows = await run(
    orm.select({ runId: r.runId, part: r.part, body: r.body }).from(r).where(where).orderBy(r.keptAt, r.part).limit(pushesMax),
  );
  return Promise.all(rows.map(({ runId, part, body }) => openPart(cipher, { runId, part, userId }, body)));
}
