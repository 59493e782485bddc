import { and, eq } from 'drizzle-orm';
import { run as runQuery, type Tx } from '@pulsewire/database';
import { errorCode } from '@pulsewire/kernel';
import type { ProviderSend } from '@pulsewire/providers';
import type { Pullable } from '../context/pullable.ts';
import type { RunningWindow } from '../windows/claim-window.ts';
import { rawResponses } from '../model/tables.ts';
import { readPart, type VaultRun, type VaultReader } from './vault-runs.ts';
import { replayResponses } from './replay-responses.ts';
import type { UserFacts, StoredResponse } from '../sealed/stored-response.ts';

/** A reading that was cut short: its parameters and the responses so far. */
export interface CutRun extends Pick<VaultRun, 'runId' | 'day' | 'userId'> {
  /** When it began: the `now` of its pull. */
  readonly now: Date;
  readonly user: UserFacts;
  readonly parts: number;
  readonly responses: number;
  /** The highest version of its responses. */
  readonly version: bigint;
}

interface Row {
  readonly run_id: string;
  readonly day: string;
  readonly version: string;
  readonly parts: number;
  readonly responses: number;
  readonly is_ended: boolean;
}

/** The last reading of a window in its current state, if it was cut short; null: there is none to resume. */
export async function findCutRun(reader: VaultReader, { connection }: Pullable, window: RunningWindow): Promise<CutRun | null> {
  const { userId, connectionId, provider } = connection;
  const [row] = await reader.database.sql<Row[]>`
    SELECT run_id, day, max(version) AS version, max(part)::int AS parts, sum(answers)::int AS responses, bool_or(ends_run) AS is_ended FROM raw_answers
    WHERE user_id = ${userId} AND provider = ${provider} AND connection_id = ${connectionId} AND source = 'pull' AND window_id = ${window.windowId}
      AND day >= ${window.readingsSince.slice(0, 10)}
    GROUP BY run_id, day ORDER BY run_id DESC LIMIT 1`;
  if (!row || row.is_ended) return null;
  const run = { runId: row.run_id, day: row.day, userId };
  const first = await readPart(reader, run, 1);
  if (!first || first.now < window.readingsSince) return null;
  return { ...run, now: new Date(first.now), user: first.user, parts: row.parts, responses: row.responses, version: BigInt(row.version) };
}

/** Responses, and refusals that would only be repeated. A response that was too large to store is requested again. */
const isFinal = ({ errorCode: code, bytes }: StoredResponse) =>
  code === null ? bytes !== null : code === 'provider_permanent' || code === 'provider_scope_missing';

/** Calls that get the responses from before the cut, under their versions, and then continue with `live`: only the latter cost calls. */
export function resumeCutRun(reader: VaultReader, run: CutRun, live: ProviderSend): ProviderSend {
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
export async function endCutRun({ sql }: Tx, { runId, day, userId }: CutRun): Promise<void> {
  await sql`
    UPDATE raw_answers SET ends_run = true WHERE run_id = ${runId} AND day = ${day} AND user_id = ${userId}
      AND part = (SELECT max(part) FROM raw_answers WHERE run_id = ${runId} AND day = ${day})`;
}

/** Removes the readings of a window that were stored only to be resumed, including those that were restarted. */
export async function forgetCutRuns({ orm }: Tx, { connection }: Pullable, { windowId }: RunningWindow): Promise<void> {
  const { userId, provider, connectionId } = rawResponses;
  const ofConnection = and(eq(userId, connection.userId), eq(provider, connection.provider), eq(connectionId, connection.connectionId));
  await runQuery(orm.delete(rawResponses).where(and(ofConnection, eq(rawResponses.windowId, BigInt(windowId)))));
}
