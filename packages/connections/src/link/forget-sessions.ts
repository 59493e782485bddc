import type { Clock } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import { forgetFailedKeys } from '../teams/keys/count-failed-keys.ts';
import { attemptWindowMs } from './password/login-attempts.ts';

/** So long an expired token is still told that it has expired; later it is unknown. */
const keptMs = 7 * 86_400_000;

/**
 * Forgets the secrets of link sessions whose time is over, and sessions that nobody asks for any more, and login
 * attempts and failed keys that no longer count; `limit` of each at most.
 * Gives how many rows it touched.
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
  return emptied.count + deleted.count + attempts.count + (await forgetFailedKeys(database, limit));
}
