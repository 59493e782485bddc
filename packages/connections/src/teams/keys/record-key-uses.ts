import { plainArray, type Executor } from '@pulsewire/database';

/** Records when keys were last used, in one statement. An earlier time than the recorded one changes nothing. */
export async function recordKeyUses({ sql }: Executor, uses: ReadonlyMap<string, Date>): Promise<void> {
  if (uses.size === 0) return;
  // In key order, so that processes that record the same keys cannot deadlock.
  const sorted = [...uses].sort(([a], [b]) => (a < b ? -1 : 1));
  await sql`
    WITH used AS (
      SELECT k.key_id, u.at FROM api_keys k
      JOIN unnest(${plainArray(sorted.map(([keyId]) => keyId))}::uuid[], ${plainArray(sorted.map(([, at]) => at.toISOString()))}::timestamptz[]) AS u(key_id, at)
        USING (key_id)
      WHERE k.last_used_at IS NULL OR k.last_used_at < u.at ORDER BY k.key_id FOR UPDATE OF k)
    UPDATE api_keys k SET last_used_at = used.at FROM used WHERE k.key_id = used.key_id`;
}
