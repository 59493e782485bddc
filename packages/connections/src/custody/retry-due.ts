import type { Sql } from '@pulsewire/database';

/** Whether the next attempt is due. A failure in the future was recorded by a clock that was ahead, so its delay does not count. */
export function isRetryDue(sql: Sql) {
  return sql`(next_refresh_at IS NULL OR next_refresh_at <= clock_timestamp() OR setback_at > clock_timestamp())`;
}
