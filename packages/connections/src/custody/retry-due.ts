import type { Sql } from '@pulsewire/database';

/** Whether the next try may come. A setback in the future was written by a clock that was ahead, so the wait after it says nothing. */
export function isRetryDue(sql: Sql) {
  return sql`(next_refresh_at IS NULL OR next_refresh_at <= clock_timestamp() OR setback_at > clock_timestamp())`;
}
