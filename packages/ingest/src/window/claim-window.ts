import type { PullLane } from '@pulsewire/providers';
import { uuidv7 } from '@pulsewire/kernel';
import type { Executor } from '@pulsewire/database';
import type { NamedObject } from '../sealed/named-object.ts';
import { lastRank } from './add-windows.ts';
import { isInterruptedByQuota, readingValidMs } from './states.ts';

/** The lease of a connection (`acquireLease`), by which its windows are claimed. */
export interface ClaimingLease {
  readonly connectionId: string;
  readonly epoch: string;
}

/** A running window. */
export interface RunningWindow extends NamedObject {
  readonly windowId: string;
  readonly pull: string;
  readonly lane: PullLane;
  readonly startDate: string;
  readonly endDate: string;
  /** Attempts at this window, this run included. */
  readonly attempts: number;
  /** Readings from before this time are not resumed: the window was planned, ended or failed since, or the user linked again. ISO 8601. */
  readonly readingsSince: string;
  /** Its previous run was interrupted for lack of quota. */
  readonly wasInterruptedByQuota: boolean;
  /** Code of its previous run's failure; null: none. */
  readonly previousCode: string | null;
  /** The provider has accepted its request and responds by pushes: no further call is needed. */
  readonly isAccepted: boolean;
  /** The day up to which its pull was read when it was claimed; null: its pull has no cursor. */
  readonly coveredTo: string | null;
  /** Its last complete reading that changed nothing (`unpackReading`); null: none. */
  readonly reading: Buffer | null;
  /** Nothing has made that reading invalid: an equal one need not be mapped. */
  readonly isReadingValid: boolean;
  readonly epoch: string;
  /** When this run began, ISO 8601. */
  readonly startedAt: string;
  /** Identifies this run in its log line and in every event that it causes. */
  readonly traceId: string;
}

interface WindowRow {
  readonly window_id: string;
  readonly pull: string;
  readonly lane: PullLane;
  readonly start_date: string;
  readonly end_date: string;
  readonly object_id: string;
  readonly object_sealed: Buffer | null;
  readonly attempts: number;
  readonly readings_since: string;
  readonly was_interrupted: boolean;
  readonly error_code: string | null;
  readonly is_accepted: boolean;
  readonly covered_to: string | null;
  readonly reading: Buffer | null;
  readonly is_reading_valid: boolean;
}

/**
 * Claims the next due window of the leased connection: live before backfill, then windows that were interrupted for lack of quota, so that they end; pulls that
 * cost a call per record last; newest days first, then the connector's order. Null when nothing is due, or the provider requested a pause.
 * The attempt is counted here, so that a window that kills its worker is eventually given up.
 */
export async function claimWindow({ sql }: Executor, lease: ClaimingLease, now: Date): Promise<RunningWindow | null> {
  const at = now.toISOString();
  const traceId = uuidv7().replaceAll('-', '');
  const wasInterrupted = isInterruptedByQuota(sql, null);
  const [row] = await sql<WindowRow[]>`
    UPDATE pull_windows w SET state = 'running', run_epoch = ${lease.epoch}, attempts = attempts + 1, started_at = ${at}, trace_id = ${traceId}, is_asked_again = is_asked_again AND ${wasInterrupted}
    WHERE w.window_id = (
      SELECT w.window_id FROM pull_windows w JOIN pull_plans p USING (connection_id)
      WHERE w.connection_id = ${lease.connectionId} AND p.lease_epoch = ${lease.epoch} AND p.stopped_at IS NULL
        AND w.state IN ('planned', 'failed') AND w.due_at <= ${at}
        AND (p.resume_at IS NULL OR p.resume_at <= ${at})
        AND (w.lane = 'live' OR p.waits_for IS NULL OR w.accepted_at >= coalesce(p.linked_at, p.created_at)) AND (w.lane = 'live' OR p.backfill_resume_at IS NULL OR p.backfill_resume_at <= ${at})
      ORDER BY w.lane = 'backfill', ${isInterruptedByQuota(sql, 'w')} DESC, w.rank >= ${lastRank}, w.end_date DESC, w.rank, w.window_id
      LIMIT 1 FOR UPDATE OF w
    )
    RETURNING w.window_id, pull, lane, start_date, end_date, object_id, object_sealed, attempts, ${wasInterrupted} AS was_interrupted, error_code,
      greatest(planned_at, finished_at, (SELECT p.linked_at FROM pull_plans p WHERE p.connection_id = ${lease.connectionId})) AS readings_since,
      coalesce(accepted_at >= (SELECT coalesce(p.linked_at, p.created_at) FROM pull_plans p WHERE p.connection_id = ${lease.connectionId}), false) AS is_accepted,
      (SELECT c.covered_to FROM pull_cursors c WHERE c.connection_id = w.connection_id AND c.pull = w.pull) AS covered_to, reading,
      coalesce(reading_runs = runs AND reading_at <= ${at} AND reading_at > ${at}::timestamptz - ${readingValidMs} * interval '1 millisecond'
        AND reading_changes = (SELECT c.changes FROM pull_cursors c WHERE c.connection_id = w.connection_id AND c.pull = w.pull), false) AS is_reading_valid`;
  if (!row) return null;
  return {
    windowId: row.window_id,
    pull: row.pull,
    lane: row.lane,
    startDate: row.start_date,
    endDate: row.end_date,
    objectId: row.object_id,
    objectSealed: row.object_sealed,
    attempts: row.attempts,
    readingsSince: new Date(row.readings_since).toISOString(),
    wasInterruptedByQuota: row.was_interrupted,
    previousCode: row.error_code,
    isAccepted: row.is_accepted,
    coveredTo: row.covered_to,
    reading: row.reading,
    isReadingValid: row.reading !== null && row.is_reading_valid,
    epoch: lease.epoch,
    startedAt: at,
    traceId,
  };
}
