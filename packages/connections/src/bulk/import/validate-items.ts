import { eq } from 'drizzle-orm';
import { advisoryLocks, plainArray, run, textArray, type Tx } from '@pulsewire/database';
import { teams } from '../../model/tables.ts';

/** A stored recipe that is not processed yet. */
export interface OpenItem {
  readonly item: number;
  readonly user_id: string;
  readonly provider_user_id: string;
  readonly access_token: Buffer;
  readonly refresh_token: Buffer | null;
  readonly expires_at: string | null;
  readonly scopes: string[] | null;
  /** When a refresh of its expired tokens was sent; null: never. */
  readonly check_sent_at: string | null;
  readonly check_outcome: 'refreshed' | 'refused' | 'unclear' | null;
}

/** Facts about the user that planning and events need. */
interface LiveUser {
  readonly user_id: string;
  readonly client_user_id: string;
  readonly fallback_time_zone: string | null;
  readonly fallback_birth_date: string | null;
  readonly ingestion_start: string | null;
  readonly ingestion_end: string | null;
}

export interface AcceptedItem {
  readonly item: OpenItem;
  readonly user: LiveUser;
}

export interface RejectedItem {
  readonly item: number;
  readonly reason: 'user_not_found' | 'user_deleted' | 'user_is_demo' | 'duplicate_connection' | 'token_refused' | 'token_expired';
}

// In the order of their ids, so that two batches with the same users cannot deadlock.
async function lockUsers(
  { sql }: Tx,
  teamId: string,
  items: readonly OpenItem[],
): Promise<Map<string, LiveUser & { readonly deleted_at: string | null }>> {
  const rows = await sql<(LiveUser & { deleted_at: string | null })[]>`
    SELECT user_id, client_user_id, fallback_time_zone, fallback_birth_date::text AS fallback_birth_date, ingestion_start, ingestion_end, deleted_at FROM users
    WHERE team_id = ${teamId} AND user_id = ANY(${plainArray(items.map((item) => item.user_id))}::uuid[]) ORDER BY user_id FOR UPDATE`;
  return new Map(rows.map((row) => [row.user_id, row]));
}

/** The user of each account that is connected already; null when the team accepts duplicates. */
async function takenAccounts(
  { sql, orm }: Tx,
  teamId: string,
  provider: string,
  items: readonly OpenItem[],
): Promise<ReadonlyMap<string, string> | null> {
  const [team] = await run(orm.select({ rejects: teams.rejectDuplicateConnection }).from(teams).where(eq(teams.teamId, teamId)));
  if (!team?.rejects) return null;
  const accounts = [...new Set(items.map((item) => item.provider_user_id))].sort();
  // Takes the same locks as a concurrent link to one of these accounts.
  await sql`
    SELECT pg_advisory_xact_lock(hashtextextended(n.name, ${advisoryLocks.named})) FROM (
      SELECT name FROM unnest(${textArray(accounts.map((account) => `${teamId}:${provider}:${account}`))}::text[]) AS u(name) ORDER BY name) n`;
  const rows = await sql<{ provider_user_id: string; user_id: string }[]>`
    SELECT provider_user_id, user_id FROM connections
    WHERE team_id = ${teamId} AND provider = ${provider} AND provider_user_id = ANY(${textArray(accounts)}::text[])`;
  return new Map(rows.map((row) => [row.provider_user_id, row.user_id]));
}

// As for links, a user has either real or demo connections.
async function demoUsers({ sql }: Tx, teamId: string, items: readonly OpenItem[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ user_id: string }[]>`
    SELECT DISTINCT user_id FROM connections
    WHERE team_id = ${teamId} AND user_id = ANY(${plainArray(items.map((item) => item.user_id))}::uuid[]) AND demo_due_at IS NOT NULL`;
  return new Set(rows.map((row) => row.user_id));
}

/** Why the tokens of a recipe cannot work; null: they may. Without a refresh token nothing can renew an expired one. */
function tokenFault({ check_outcome: outcome, refresh_token: refreshToken, expires_at: expiresAt }: OpenItem, nowMs: number) {
  if (outcome === 'refused') return 'token_refused' as const;
  return refreshToken === null && expiresAt !== null && Date.parse(expiresAt) <= nowMs ? ('token_expired' as const) : null;
}

/** Separates the recipes that can be imported from those that cannot. The users stay locked. */
export async function validateItems(
  tx: Tx,
  request: { readonly teamId: string; readonly provider: string; readonly items: readonly OpenItem[]; readonly nowMs: number },
): Promise<{ readonly accepted: readonly AcceptedItem[]; readonly rejected: readonly RejectedItem[] }> {
  const { teamId, provider, items, nowMs } = request;
  const users = await lockUsers(tx, teamId, items);
  const demos = await demoUsers(tx, teamId, items);
  const taken = await takenAccounts(tx, teamId, provider, items);
  const holders = taken && new Map(taken);
  const accepted: AcceptedItem[] = [];
  const rejected: RejectedItem[] = [];
  for (const item of items) {
    const user = users.get(item.user_id);
    const holder = holders?.get(item.provider_user_id);
    const fault = tokenFault(item, nowMs);
    if (!user) rejected.push({ item: item.item, reason: 'user_not_found' });
    else if (user.deleted_at !== null) rejected.push({ item: item.item, reason: 'user_deleted' });
    else if (demos.has(item.user_id)) rejected.push({ item: item.item, reason: 'user_is_demo' });
    else if (holder !== undefined && holder !== item.user_id) rejected.push({ item: item.item, reason: 'duplicate_connection' });
    else if (fault) rejected.push({ item: item.item, reason: fault });
    else {
      holders?.set(item.provider_user_id, item.user_id);
      accepted.push({ item, user });
    }
  }
  return { accepted, rejected };
}
