import { randomBytes, randomUUID } from 'node:crypto';
import { sleep, systemClock } from '@pulsewire/kernel';
import { createTeam, createUser, getAccessToken, type CustodyContext } from '@pulsewire/connections';
import { openDatabase, type Database } from '@pulsewire/database';
import { maintainLog } from '@pulsewire/eventlog';
import { program } from '../../support/programs/program.ts';
import { Child } from '../harness/child.ts';
import { createRandom } from '../harness/random.ts';
import { stormContext } from './context.ts';
import { createRotatingProvider, type Misfortunes, type RotatingProvider } from './rotating-provider.ts';

export interface StormOptions {
  readonly databaseUrl: string;
  readonly seconds: number;
  /** The storm continues until this many processes were killed, but for at most a minute. */
  readonly killsMin?: number;
  readonly seed: number;
  readonly processes: number;
  /** Over all processes. */
  readonly workers: number;
  readonly connections: number;
  /** 0: refresh tokens are strictly single-use. */
  readonly graceMs: number;
}

export interface StormResult {
  readonly refreshes: number;
  readonly used: number;
  readonly kills: number;
  /** Connections in error although their user consents. Must be 0. */
  readonly falseRevocations: number;
  /** Connections of users who revoked consent that are in error with exactly one event, and their total. */
  readonly trueRevocations: string;
  /** Concurrent refreshes of one connection by live processes. Must be 0. */
  readonly overlaps: number;
  /** Tokens that were used before they were stored, or that the provider never issued. Must be 0. */
  readonly unstored: number;
  readonly usedDead: number;
  /** Stored pairs that are not the provider's although no response was lost. Must be 0. */
  readonly unexplained: number;
  /** Connections with a lost rotation: they wait, as they must, because the outcome cannot be known. With grace there are none. */
  readonly unclear: number;
  /** Connections that return a token which the provider accepts. */
  readonly working: number;
  readonly errors: string;
}

const calm: Misfortunes = {
  bare_400: 0,
  http_503: 0,
  http_429: 0,
  rotated_then_500: 0,
  rotated_then_cut: 0,
  kill_before_rotation: 0,
  kill_after_rotation: 0,
  kill_after_answer: 0,
};
const bad: Misfortunes = {
  bare_400: 0.04,
  http_503: 0.04,
  http_429: 0.02,
  rotated_then_500: 0.01,
  rotated_then_cut: 0.01,
  kill_before_rotation: 0.03,
  kill_after_rotation: 0.03,
  kill_after_answer: 0.02,
};
const withdrawn = 2;
const lifetimeSeconds = 1;
const stormMaxMs = 60_000;
const triesMax = 8;

async function seedConnections(database: Database, context: CustodyContext, provider: RotatingProvider, count: number): Promise<string[]> {
  const team = await createTeam(database, systemClock, { name: 'storm', isSandbox: false });
  const ids: string[] = [];
  for (let i = 0; i < count; i++) {
    const user = await createUser(database, team, { clientUserId: `storm-${i}` }, { clock: systemClock, sandboxUsersMax: 1000 });
    const connectionId = randomUUID();
    const pair = provider.addAccount(connectionId);
    const seal = (token: string) => context.cipher.seal(token, `connection:${connectionId}`);
    await database.sql`
      INSERT INTO connections (connection_id, team_id, user_id, provider, provider_user_id, status, application, created_at, updated_at)
      VALUES (${connectionId}, ${team.teamId}, ${user.userId}, 'fitbit', ${connectionId}, 'connected', 'platform', now(), now())`;
    await database.sql`
      INSERT INTO connection_tokens (connection_id, access_token, refresh_token, issued_at, expires_at, token_version)
      VALUES (${connectionId}, ${seal(pair.accessToken)}, ${seal(pair.refreshToken)}, now(), now() + make_interval(secs => ${lifetimeSeconds}), 1)`;
    ids.push(connectionId);
  }
  return ids;
}

/** Expires all backoffs and access tokens, as if enough time had passed; running processes keep their leases. */
async function passTime({ sql }: Database, ids: readonly string[]): Promise<void> {
  await sql`
    UPDATE connection_tokens SET next_refresh_at = NULL, expires_at = now() - interval '1 second' WHERE connection_id = ANY(${[...ids]}::uuid[])`;
}

/** Ends the leases of dead holders, which would otherwise last half a minute. */
async function endLeases({ sql }: Database, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await sql`UPDATE connection_tokens SET lease_until = NULL WHERE connection_id = ANY(${[...ids]}::uuid[])`;
}

/** Tries several times: tokens live for a second, which may pass between getting and using one on a loaded machine. */
async function isWorking(database: Database, context: CustodyContext, provider: RotatingProvider, connectionId: string): Promise<boolean> {
  for (let tries = 0; tries < triesMax; tries++) {
    await passTime(database, [connectionId]);
    const token = await getAccessToken(context, connectionId).catch(() => null);
    if (!token) continue;
    const headers = { authorization: `Bearer ${token.accessToken}`, 'x-is-stored': 'yes' };
    const response = await fetch(`${provider.url}/use`, { method: 'POST', headers });
    await response.arrayBuffer();
    if (response.status === 200) return true;
  }
  return false;
}

/**
 * Many workers in several processes refresh the same connections at a provider that rotates tokens, and are killed in the middle.
 * Afterwards no connection of a consenting user may be in error; those of users who revoked consent must be, with one event each.
 */
export async function runStorm(options: StormOptions): Promise<StormResult> {
  const random = createRandom(options.seed);
  const encryptionKeys = `1:${randomBytes(32).toString('base64')}`;
  const database = openDatabase({ url: options.databaseUrl, name: 'storm-judge', connectionsMax: 4 });
  let misfortunes = calm;
  let kills = 0;
  const crashes: Promise<unknown>[] = [];
  const children: Child[] = [];
  const orphaned = new Set<string>();
  const dying = new Set<number>();
  const provider = await createRotatingProvider({
    graceMs: options.graceMs,
    lifetimeSeconds,
    random,
    misfortunes: () => misfortunes,
    onLost: (account) => orphaned.add(account),
    kill(pid, account) {
      const child = children.find((candidate) => candidate.pid === pid);
      // Two of its requests may trigger a kill at the same moment; a process is killed once.
      if (!child || dying.has(pid)) return;
      dying.add(pid);
      kills += 1;
      orphaned.add(account);
      crashes.push(child.crash());
    },
  });
  const context = stormContext(database, encryptionKeys, provider.url);
  try {
    await maintainLog(database, { today: new Date().toISOString().slice(0, 10), keepDays: 30 });
    const ids = await seedConnections(database, context, provider, options.connections);
    for (let i = 0; i < options.processes; i++) {
      const perProcess = String(Math.ceil(options.workers / options.processes));
      const args = [options.databaseUrl, encryptionKeys, provider.url, perProcess, String(options.seed + i * 1000), ...ids];
      children.push(new Child({ name: `worker ${i}`, file: program('test/fault/custody/worker.ts'), args }));
    }
    for (const child of children) child.start();
    while (provider.counts.used < options.processes * 4) await sleep(50);
    misfortunes = bad;
    const endMs = performance.now() + options.seconds * 1000;
    const { killsMin = 0 } = options;
    while (performance.now() < endMs || (kills < killsMin && performance.now() < endMs + stormMaxMs)) {
      await sleep(150);
      // The lease of a dead holder lasts half a minute, and backoffs grow: too long to wait for during the storm.
      const stuck = [...orphaned];
      orphaned.clear();
      await Promise.all(crashes);
      await endLeases(database, stuck);
      await database.sql`UPDATE connection_tokens SET next_refresh_at = NULL WHERE next_refresh_at IS NOT NULL`;
    }
    misfortunes = calm;
    await Promise.all(crashes);
    await endLeases(database, [...orphaned]);

    // Two users revoke consent while every process is running; users with an unclear pair are excluded, as their outcome could not be
    // judged.
    let sure: string[] = [];
    for (let waitedMs = 0; waitedMs < 20_000 && sure.length < withdrawn; waitedMs += 50) {
      await sleep(50);
      sure = await surePairs(database, context, provider, ids);
    }
    const leavers = sure.slice(0, withdrawn);
    for (const id of leavers) Object.assign(provider.accounts.get(id) ?? {}, { isWithdrawn: true });
    for (let waitedMs = 0; waitedMs < 60_000 && (await erroredOf(database, leavers)).length < leavers.length; waitedMs += 200) {
      await passTime(database, leavers);
      await sleep(200);
    }
    await Promise.all(children.map((child) => child.stop()));

    await endLeases(database, ids);
    const stayers = ids.filter((id) => !leavers.includes(id));
    const alive = await Promise.all(stayers.map((id) => isWorking(database, context, provider, id)));
    const certain = new Set(await surePairs(database, context, provider, stayers));
    const inDoubt = stayers.filter((id) => !certain.has(id));
    const events = await database.sql<{ n: number }[]>`
      SELECT count(*)::int AS n FROM log_events
      WHERE event_type = 'provider.connection.error' AND user_id IN (SELECT user_id FROM connections WHERE connection_id IN ${database.sql(ids)})`;
    return {
      refreshes: provider.counts.refreshes,
      used: provider.counts.used,
      kills,
      falseRevocations: (await erroredOf(database, stayers)).length,
      trueRevocations: `${(await erroredOf(database, leavers)).length} of ${leavers.length}, ${events[0]?.n ?? 0} events`,
      overlaps: provider.counts.overlaps,
      unstored: provider.counts.unstored,
      usedDead: provider.counts.usedDead,
      unexplained: inDoubt.filter((id) => (provider.accounts.get(id)?.lost ?? 0) === 0).length,
      unclear: inDoubt.length,
      working: alive.filter(Boolean).length,
      errors: children.map(({ errors }) => errors).join(''),
    };
  } finally {
    misfortunes = calm;
    await Promise.all(children.map((child) => child.stop()));
    context.close();
    await provider.close();
    await database.close();
  }
}

async function erroredOf({ sql }: Database, ids: readonly string[]): Promise<readonly string[]> {
  const rows = await sql<{ connection_id: string }[]>`
    SELECT connection_id FROM connections WHERE connection_id = ANY(${[...ids]}::uuid[]) AND status = 'error'`;
  return rows.map((row) => row.connection_id);
}

/** Connections with the refresh token that the provider expects and no open refusal. */
async function surePairs(
  { sql }: Database,
  { cipher }: CustodyContext,
  provider: RotatingProvider,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ connection_id: string; refresh_token: Buffer }[]>`
    SELECT connection_id, refresh_token FROM connection_tokens WHERE connection_id = ANY(${[...ids]}::uuid[]) AND refresh_sent_at IS NULL`;
  return rows
    .filter(
      (row) => cipher.open(row.refresh_token, `connection:${row.connection_id}`) === provider.accounts.get(row.connection_id)?.refreshToken,
    )
    .map((row) => row.connection_id);
}
