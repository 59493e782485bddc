import type { PullLane } from '@pulsewire/providers';
import type { Executor } from '@pulsewire/database';
import type { NamedObject } from '../sealed/named-object.ts';
import { lastRank } from './add-windows.ts';
import { isInterruptedByQuota, readingValidMs } from './transitions.ts';

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
  readonly place: number;
  readonly trace_id: string;
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
 * Claims due windows of the leased connection, in the order in which they are to be read: live before backfill, then windows that were
 * interrupted for lack of quota, so that they end; pulls that cost a call per record last; newest days first, then the connector's order.
 * More than one only while they are plain: live days whose last run did not fail. Empty when nothing is due, or the provider requested a
 * pause. The attempt is counted here, so that a window that kills its worker is eventually given up: after its worker has died each of them
 * is claimed by itself.
 */
export async function claimWindows({ sql }: Executor, lease: ClaimingLease, now: Date, max: number): Promise<readonly RunningWindow[]> {
  const at = now.toISOString();
  const wasInterrupted = isInterruptedByQuota(sql, 'w');
  const rows = await sql<WindowRow[]>`
    WITH due AS (
      SELECT w.window_id, w.lane = 'backfill' AS is_history, ${wasInterrupted} AS was_interrupted, w.rank >= ${lastRank} AS runs_last, w.end_date, w.rank,
        w.lane = 'live' AND w.attempts = 0 AND w.object_id = '' AND NOT ${wasInterrupted} AS is_plain
      FROM pull_windows w JOIN pull_plans p USING (connection_id)
      WHERE w.connection_id = ${lease.connectionId} AND p.lease_epoch = ${lease.epoch} AND p.stopped_at IS NULL
        AND w.state IN ('planned', 'failed') AND w.due_at <= ${at}
        AND (p.resume_at IS NULL OR p.resume_at <= ${at})
        AND (w.lane = 'live' OR p.waits_for IS NULL OR w.accepted_at >= coalesce(p.linked_at, p.created_at)) AND (w.lane = 'live' OR p.backfill_resume_at IS NULL OR p.backfill_resume_at <= ${at})
      ORDER BY w.lane = 'backfill', ${wasInterrupted} DESC, w.rank >= ${lastRank}, w.end_date DESC, w.rank, w.window_id
      LIMIT ${max} FOR UPDATE OF w
    ), placed AS (
      SELECT window_id, was_interrupted, row_number() OVER o AS place, bool_and(is_plain) OVER o AS are_plain
      FROM due WINDOW o AS (ORDER BY is_history, was_interrupted DESC, runs_last, end_date DESC, rank, window_id)
    )
    UPDATE pull_windows w SET state = 'running', run_epoch = ${lease.epoch}, attempts = w.attempts + 1, started_at = ${at},
      trace_id = replace(gen_random_uuid()::text, '-', ''), is_asked_again = w.is_asked_again AND placed.was_interrupted
    FROM placed WHERE w.window_id = placed.window_id AND (placed.place = 1 OR placed.are_plain)
    RETURNING w.window_id, placed.place::int AS place, w.pull, w.lane, w.start_date, w.end_date, w.object_id, w.object_sealed, w.attempts, placed.was_interrupted,
      w.error_code, w.trace_id,
      greatest(w.planned_at, w.finished_at, (SELECT p.linked_at FROM pull_plans p WHERE p.connection_id = ${lease.connectionId})) AS readings_since,
      coalesce(w.accepted_at >= (SELECT coalesce(p.linked_at, p.created_at) FROM pull_plans p WHERE p.connection_id = ${lease.connectionId}), false) AS is_accepted,
      (SELECT c.covered_to FROM pull_cursors c WHERE c.connection_id = w.connection_id AND c.pull = w.pull) AS covered_to, w.reading,
      coalesce(w.reading_runs = w.runs AND w.reading_at <= ${at} AND w.reading_at > ${at}::timestamptz - ${readingValidMs} * interval '1 millisecond'
        AND w.reading_changes = (SELECT c.changes FROM pull_cursors c WHERE c.connection_id = w.connection_id AND c.pull = w.pull), false) AS is_reading_valid`;
  return rows.toSorted((a, b) => a.place - b.place).map((row) => toRunning(row, lease, at));
}

function toRunning(row: WindowRow, lease: ClaimingLease, at: string): RunningWindow {
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
    traceId: row.trace_id,
  };
}
