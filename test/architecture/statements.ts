/** Why an ordinary statement stays handwritten. */
type Exception =
  /** On the path of samples, log or deliveries, where building the query each time would cost too much. */
  | 'hot path'
  /** Has the literal of a partial index, or a bound on partitions, in the measured form. */
  | 'plan'
  /** A fragment of its condition belongs to statements that need SQL by hand. */
  | 'shared condition'
  /** The code that reads its rows also reads those of statements that need handwritten SQL. */
  | 'shared rows'
  /** The table is declared in another package, which exports no function for this. */
  | "another package's table"
  /** Computes new values from several old ones with CASE, which fragments would only hide. */
  | 'computed'
  /** Compares with Postgres' text of a time, which a Date would truncate to milliseconds. */
  | 'exact time';

/** Ordinary statements that are written by hand, by file: how many, and why. */
export const statementsByHand: Readonly<Record<string, readonly [count: number, why: Exception]>> = {
  'packages/connections/src/bulk/import/import-batch.ts': [1, 'shared rows'],
  'packages/connections/src/connections/find-connections.ts': [2, 'shared rows'],
  'packages/connections/src/custody/refresh-due.ts': [1, 'shared condition'],
  'packages/connections/src/custody/refresh-lease.ts': [2, 'computed'],
  'packages/connections/src/custody/token-row.ts': [1, 'shared condition'],
  'packages/connections/src/deletion/delete-team.ts': [2, 'exact time'],
  'packages/connections/src/users/list-users.ts': [1, 'exact time'],
  'packages/database/src/migrate/pending-migrations.ts': [1, 'computed'],
  'packages/eventlog/src/group/heartbeat.ts': [1, 'hot path'],
  'packages/eventlog/src/team/read-team.ts': [1, 'shared rows'],
  'packages/ingest/src/maintenance/heal.ts': [1, 'shared condition'],
  'packages/ingest/src/push/inbox/settle-push.ts': [1, 'computed'],
  'packages/ingest/src/connection-schedule/quota-queue.ts': [1, 'computed'],
  'packages/ingest/src/window/count-window.ts': [1, 'hot path'],
  'packages/ingest/src/window/end-window.ts': [1, 'computed'],
  'packages/ingest/src/window/leave-window.ts': [2, 'computed'],
  'packages/ingest/src/quota/may-start.ts': [1, 'computed'],
  'packages/ingest/src/vault/store-responses.ts': [1, 'hot path'],
  'packages/store/src/raw/read-raw-entries.ts': [1, 'computed'],
  'packages/store/src/reads/read-stored-day.ts': [1, 'shared condition'],
  'packages/store/src/reads/read-workout-stream.ts': [1, 'exact time'],
  'packages/store/src/reads/scan-samples.ts': [1, 'hot path'],
  'packages/store/src/reads/window-state.ts': [1, 'hot path'],
  'packages/store/src/samples/identify.ts': [1, 'hot path'],
  'packages/store/src/samples/split-receipts.ts': [1, 'hot path'],
  'packages/store/src/summaries/write-summaries.ts': [1, 'hot path'],
  'packages/webhooks/src/dispatcher/replay/lease-replay.ts': [1, 'computed'],
  'packages/webhooks/src/endpoints/list-attempts.ts': [1, 'plan'],
  'packages/webhooks/src/maintenance/oldest-pending-day.ts': [1, 'shared condition'],
  'packages/webhooks/src/messages/get-message.ts': [1, 'plan'],
  'packages/webhooks/src/messages/team-bodies.ts': [1, "another package's table"],
  'packages/webhooks/src/replays/count-matching.ts': [1, "another package's table"],
  'packages/webhooks/src/routing/endpoint-cache.ts': [1, 'hot path'],
  'packages/webhooks/src/routing/load-routing.ts': [1, "another package's table"],
  'packages/webhooks/src/statistics/endpoint-statistics.ts': [1, 'plan'],
  'packages/webhooks/src/trace/trace-deliveries.ts': [1, "another package's table"],
  'services/standalone/src/admin/log/log-republish.ts': [1, "another package's table"],
  'services/standalone/src/admin/log/operations.ts': [1, "another package's table"],
  'services/standalone/src/demo/read-demo-status.ts': [3, "another package's table"],
};
