import type { Clock } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import { deleteExpiredFailedKeys } from '../teams/keys/count-failed-keys.ts';
import { attemptWindowMs } from './password/login-attempts.ts';

/** For this long an expired token is reported as expired; afterwards it is unknown. */
const keptMs = 7 * 86_400_000;

/**
 * Deletes the secrets of expired link sessions, sessions that expired a week ago, and login attempts and failed keys that no longer count;
 * at most `limit` of each. Returns how many rows it changed.
 */
export async function forgetLinkSessions(database: Database, clock: Clock, limit: number): Promise<number> {
  const { sql } = database;
  const now = clock.now();
  const emptied = await sql`
    UPDATE link_sessions SET mfa_ticket = NULL, code_verifier = NULL WHERE session_id IN (
      SELECT session_id FROM link_sessions
      WHERE expires_at <= ${now.toISOString()} AND (mfa_ticket IS NOT NULL OR code_verifier IS NOT NULL)
      ORDER BY expires_at LIMIT ${limit})`;
  const before = new Date(now.getTime() - keptMs).toISOString();
  const deleted = await sql`
    DELETE FROM link_sessions WHERE session_id IN (
      SELECT session_id FROM link_sessions WHERE expires_at <= ${before} ORDER BY expires_at LIMIT ${limit})`;
  const uncounted = new Date(now.getTime() - attemptWindowMs).toISOString();
  const attempts = await sql`
    DELETE FROM login_attempts WHERE (key, attempt_id) IN (
      SELECT key, attempt_id FROM login_attempts WHERE attempted_at <= ${uncounted} ORDER BY attempted_at LIMIT ${limit})`;
  return emptied.count + deleted.count + attempts.count + (await deleteExpiredFailedKeys(database, limit));
}
