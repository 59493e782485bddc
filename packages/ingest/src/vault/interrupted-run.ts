import { and, desc, eq, gte, sql } from 'drizzle-orm';
import { run as runQuery, type Tx } from '@pulsewire/database';
import { errorCode } from '@pulsewire/kernel';
import type { ProviderSend } from '@pulsewire/providers';
import type { Pullable } from '../context/pullable.ts';
import type { RunningWindow } from '../window/claim-window.ts';
import { rawResponses } from '../model/tables.ts';
import { readPart, type VaultRun, type VaultReader } from './vault-runs.ts';
import { replayResponses } from './replay-responses.ts';
import type { UserFacts, StoredResponse } from '../sealed/stored-response.ts';

/** A reading that was interrupted: its parameters and the responses so far. */
export interface InterruptedRun extends Pick<VaultRun, 'runId' | 'day' | 'userId'> {
  /** When it began: the `now` of its pull. */
  readonly now: Date;
  readonly user: UserFacts;
  readonly parts: number;
  readonly responses: number;
  /** The highest version of its responses. */
  readonly version: bigint;
}

/** The last reading of a window in its current state, if it was interrupted; null: there is none to resume. */
export async function findInterruptedRun(
  reader: VaultReader,
  { connection }: Pullable,
  window: RunningWindow,
): Promise<InterruptedRun | null> {
  const { userId, connectionId, provider } = connection;
  const r = rawResponses;
  const ofWindow = and(
    eq(r.userId, userId),
    eq(r.provider, provider),
    eq(r.connectionId, connectionId),
    eq(r.windowId, BigInt(window.windowId)),
  );
  const isRecent = and(eq(r.source, 'pull'), gte(r.day, window.readingsSince.slice(0, 10)));
  const runs = reader.database.orm
    .select({
      runId: r.runId,
      day: r.day,
      version: sql<string>`max(${r.version})`,
      parts: sql<number>`max(${r.part})::int`,
      responses: sql<number>`sum(${r.responses})::int`,
      isEnded: sql<boolean>`bool_or(${r.endsRun})`,
    })
    .from(r)
    .where(and(ofWindow, isRecent))
    .groupBy(r.runId, r.day)
    .orderBy(desc(r.runId))
    .limit(1);
  const [row] = await runQuery(runs);
  if (!row || row.isEnded) return null;
  const run = { runId: row.runId, day: row.day, userId };
  const first = await readPart(reader, run, 1);
  if (!first || first.now < window.readingsSince) return null;
  return { ...run, now: new Date(first.now), user: first.user, parts: row.parts, responses: row.responses, version: BigInt(row.version) };
}

/** Responses, and refusals that would only be repeated. A response that was too large to store is requested again. */
const isFinal = ({ errorCode: code, bytes }: StoredResponse) =>
  code === null ? bytes !== null : code === 'provider_permanent' || code === 'provider_scope_missing';

/** Calls that get the responses from before the cut, under their versions, and then continue with `live`: only the latter cost calls. */
export function resumeRun(reader: VaultReader, run: InterruptedRun, live: ProviderSend): ProviderSend {
  let part = 0;
  const kept = replayResponses(async () => {
    part += 1;
    return part > run.parts ? null : ((await readPart(reader, run, part))?.responses.filter(isFinal) ?? []);
  }).send;
  return async (method, path, call) => {
    try {
      return await kept(method, path, call);
    } catch (error) {
      if (errorCode(error) !== 'not_in_vault') throw error;
      return live(method, path, call);
    }
  };
}

/** Records in the transaction of its last page that the reading is complete, even when its last response came from the vault. */
export async function endInterruptedRun({ sql: query }: Tx, { runId, day, userId }: InterruptedRun): Promise<void> {
  await query`
    UPDATE raw_answers SET ends_run = true WHERE run_id = ${runId} AND day = ${day} AND user_id = ${userId}
      AND part = (SELECT max(part) FROM raw_answers WHERE run_id = ${runId} AND day = ${day})`;
}

/** Removes the readings of a window that were stored only to be resumed, including those that were restarted. */
export async function forgetInterruptedRuns({ orm }: Tx, { connection }: Pullable, { windowId }: RunningWindow): Promise<void> {
  const { userId, provider, connectionId } = rawResponses;
  const ofConnection = and(eq(userId, connection.userId), eq(provider, connection.provider), eq(connectionId, connection.connectionId));
  await runQuery(orm.delete(rawResponses).where(and(ofConnection, eq(rawResponses.windowId, BigInt(windowId)))));
}
