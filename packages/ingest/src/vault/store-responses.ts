import { uuidv7 } from '@pulsewire/kernel';
import type { Tx } from '@pulsewire/database';
import type { ProviderSend, PullLane } from '@pulsewire/providers';
import type { IngestContext } from '../context/context.ts';
import { pullUserOf, type Pullable } from '../context/pullable.ts';
import type { RunningWindow } from '../window/claim-window.ts';
import type { InterruptedRun } from './interrupted-run.ts';
import { recordResponses } from './record-responses.ts';
import { sealPart, type SealedPart } from '../sealed/seal-part.ts';
import type { UserFacts, StoredResponse } from '../sealed/stored-response.ts';

/** Responses to be stored in the vault. */
export interface VaultRow extends SealedPart {
  readonly runId: string;
  readonly part: number;
  readonly source: 'pull' | 'push';
  readonly windowId: string | null;
  readonly pull: string;
  readonly lane: PullLane;
  readonly startDate: string;
  readonly endDate: string;
  readonly version: bigint;
  readonly responses: number;
  /** Day of the run's start. */
  readonly day: string;
}

/** A reading of a window whose responses are recorded. */
export interface RecordedRun {
  /** Replaces the given calls. */
  readonly send: ProviderSend;
  /**
   * The responses since the last call of this, packed and sealed; null when there are none. Call it outside transactions: it waits for the
   * compression.
   */
  next(): Promise<VaultRow | null>;
}

/** A recorded run that can be resumed. */
export interface ResumableRun extends RecordedRun {
  /** Calls that it has made, including earlier runs. */
  responseCount(): number;
}

/** The user's facts that are stored with every response of a connection. */
export function factsOf({ connection }: Pullable): UserFacts {
  const { userId: _userId, ...facts } = pullUserOf(connection);
  return facts;
}

export function highestVersion(responses: readonly StoredResponse[]): bigint {
  return responses.reduce((highest, { version }) => (version > highest ? version : highest), 0n);
}

/**
 * Records the calls of one reading of a window that began at `now`, for `storeResponses` to store them with their pages. `known`: what is
 * stored of it already.
 */
export function recordRun(
  { cipher, clock }: Pick<IngestContext, 'cipher' | 'clock'>,
  pullable: Pullable,
  window: RunningWindow,
  send: ProviderSend,
  { now, known = null }: { readonly now: Date; readonly known?: Pick<InterruptedRun, 'runId' | 'day' | 'parts' | 'responses'> | null },
): ResumableRun {
  const recording = recordResponses(send, clock);
  const { userId } = pullable.connection;
  const { windowId, pull, lane, startDate, endDate } = window;
  const { runId, day } = known ?? { runId: uuidv7(now.getTime()), day: window.startedAt.slice(0, 10) };
  let parts = known?.parts ?? 0;
  let total = known?.responses ?? 0;
  return {
    send: recording.send,
    responseCount: () => total,
    async next() {
      const responses = recording.take();
      if (responses.length === 0) return null;
      parts += 1;
      total += responses.length;
      const part = parts;
      return {
        ...(await sealPart(cipher, { runId, part, userId }, { user: factsOf(pullable), now: now.toISOString(), responses })),
        runId,
        part,
        source: 'pull' as const,
        windowId,
        pull,
        lane,
        startDate,
        endDate,
        day,
        version: highestVersion(responses),
        responses: responses.length,
      };
    },
  };
}

/** Stores the responses that a page was made from, in the page's transaction. `endsRun`: it is the last page of a complete reading. */
export async function storeResponses({ sql }: Tx, { connection }: Pullable, row: VaultRow, endsRun: boolean): Promise<void> {
  await sql`
    INSERT INTO raw_answers (run_id, part, day, team_id, user_id, connection_id, provider, source, window_id, pull, lane, start_date, end_date,
      version, answers, raw_bytes, body, ends_run)
    VALUES (${row.runId}, ${row.part}, ${row.day}, ${connection.teamId}, ${connection.userId}, ${connection.connectionId},
      ${connection.provider}, ${row.source}, ${row.windowId}, ${row.pull}, ${row.lane}, ${row.startDate}, ${row.endDate},
      ${row.version.toString()}, ${row.responses}, ${row.rawBytes}, ${row.body}, ${endsRun})`;
}
