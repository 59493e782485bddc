import { randomBytes, randomUUID } from 'node:crypto';
import { noMetrics, silentLogger, sleep, systemClock, type Clock } from '@pulsewire/kernel';
import {
  authenticateKey,
  createApiKey,
  createTeam,
  createUser,
  deleteTeam,
  deleteUser,
  erasureGraceMs,
  getUser,
  type Team,
  type User,
} from '@pulsewire/connections';
import { openCipher, openDatabase, type Database } from '@pulsewire/database';
import { prepareDatabase } from '../test-server.ts';
import { createPostgresLog, jsonEvent, readLag, withEvents, type LogEvent } from '@pulsewire/eventlog';
import { eraseTeamsJob, eraseUsersJob } from '@pulsewire/service-scheduler';
import { drawVersion, writeRecords } from '@pulsewire/store';
import { runAdmin } from '../../../services/standalone/src/admin/run-admin.ts';
import { CollectingSink } from '../collecting-sink.ts';

export const encryptionKeys = `1:${randomBytes(32).toString('base64')}`;
const group = 'dispatcher';

/** A database with history: data were written, read and delivered. */
export interface LivedIn {
  readonly team: Team;
  /** A user who is kept. */
  readonly user: User;
  /** A user who is erased after the backup. */
  readonly erased: User;
  readonly sealed: Buffer;
  /** Of a team with one user that is erased after the backup. */
  readonly goneKey: string;
}

export async function write(
  database: Database,
  { teamId, userId }: { teamId: string; userId: string },
  ...numbers: readonly number[]
): Promise<void> {
  await withEvents(database, async (_tx, emit) => {
    for (const number of numbers) emit(jsonEvent({ eventType: 'x', teamId, userId, clientUserId: null, data: { number } }));
  });
}

export const numberIn = ({ body }: LogEvent) => (JSON.parse(body.kind === 'json' ? body.json : '{}') as { number: number }).number;

/** Reads as a dispatcher does until nothing is left, and records its positions. */
export async function read(database: Database): Promise<readonly LogEvent[]> {
  const sink = new CollectingSink(database);
  const log = createPostgresLog({ database, logger: silentLogger, metrics: noMetrics, leaseMs: 1500 });
  sink.consumption = await log.consume({ group, memberId: randomUUID(), from: 'start', sink });
  while ((await readLag(database, group)).events > 0) await sleep(50);
  await sink.consumption.stop();
  return sink.events;
}

/** Fills a new database: users with data, a token, events, some of them recorded by the dispatcher, and unfinished work. */
export async function liveIn(database: Database): Promise<LivedIn> {
  await prepareDatabase(database);
  const cipher = await openCipher(database, encryptionKeys);
  const team = await createTeam(database, systemClock, { name: 'Clinic', isSandbox: false });
  const gone = await createTeam(database, systemClock, { name: 'Gone', isSandbox: false });
  const { key: goneKey } = await createApiKey(database, systemClock, { team: gone, label: 'first' });
  await createUser(database, gone, { clientUserId: 'with the team' }, { clock: systemClock, sandboxUsersMax: 10 });
  const users: User[] = [];
  for (const clientUserId of ['stays', 'erased'])
    users.push(await createUser(database, team, { clientUserId }, { clock: systemClock, sandboxUsersMax: 10 }));
  const [user, erased] = users as [User, User];
  for (const { userId, clientUserId } of users) {
    const version = await drawVersion(database);
    const samples = Array.from({ length: 50 }, (_, minute) => ({ ts: minute * 60_000, value: minute, timezoneOffset: 0 }));
    await withEvents(database, (tx, emit) =>
      writeRecords(tx, emit, {
        owner: { teamId: team.teamId, userId, clientUserId },
        version,
        origin: 'live',
        sourceId: 3,
        traceId: null,
        records: [{ kind: 'samples', resource: 'steps', source: { provider: 'fitbit', type: 'watch' }, samples }],
      }),
    );
  }
  const connectionId = randomUUID();
  const sealed = cipher.seal('refresh token', `connection:${connectionId}`);
  await database.sql`
    INSERT INTO connections (connection_id, team_id, user_id, provider, status, application, created_at, updated_at)
    VALUES (${connectionId}, ${team.teamId}, ${user.userId}, 'fitbit', 'connected', 'team', now(), now())`;
  await database.sql`
    INSERT INTO connection_tokens (connection_id, access_token, refresh_token, issued_at, token_version, lease_until)
    VALUES (${connectionId}, ${sealed}, ${sealed}, now(), 1, now() + interval '1 hour')`;
  await write(database, user, 0, 1, 2);
  await read(database);
  await write(database, user, 3, 4);
  return { team, user, erased, sealed, goneKey };
}

/** Whether the key authenticates its team. */
export const opens = async (database: Database, key: string) => (await authenticateKey(database, systemClock, key, null)) !== null;

/** Deletes the user, and another team, and erases them as the scheduler does when the grace period is over. */
export async function eraseNow(database: Database, { team, erased, goneKey }: LivedIn): Promise<void> {
  await deleteUser(database, { clock: systemClock }, team.teamId, erased.userId);
  const gone = await authenticateKey(database, systemClock, goneKey, null);
  if (gone) await deleteTeam(database, systemClock, gone.team.teamId);
  const { signal } = new AbortController();
  await eraseTeamsJob.run({ database, clock: systemClock, logger: silentLogger }, signal);
  const clock: Clock = { ...systemClock, now: () => new Date(Date.now() + erasureGraceMs + 1000) };
  await eraseUsersJob.run({ database, clock, logger: silentLogger, providerSlugs: ['fitbit'] }, signal);
  await eraseTeamsJob.run({ database, clock, logger: silentLogger }, signal);
}

export const isThere = (database: Database, { team, erased }: LivedIn): Promise<boolean> =>
  getUser(database, team.teamId, erased.userId).then(
    () => true,
    () => false,
  );

/** Every table with its row count and a checksum of its content. */
export async function contentOf({ sql }: Database): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }[]>`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('public', 'pgboss') ORDER BY 1`;
  const content: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await sql.unsafe<{ sum: string }[]>(
      `SELECT count(*) || ' ' || coalesce(md5(string_agg(line, '' ORDER BY line)), '') AS sum FROM (SELECT md5(t::text) AS line FROM ${name} t) l`,
    );
    content[name] = row?.sum ?? '';
  }
  return content;
}

/** Runs an operator's command on the database; returns what it printed. Throws when it failed. */
export async function admin(url: string, ...words: readonly string[]): Promise<readonly string[]> {
  const database = openDatabase({ url, connectionsMax: 2, name: 'admin' });
  try {
    const lines: string[] = [];
    const cipher = await openCipher(database, encryptionKeys);
    const context = {
      database,
      cipher,
      clock: systemClock,
      kafka: null as never,
      print: (line: string) => void lines.push(line),
      secret: () => '',
    };
    if ((await runAdmin(words, context)) !== 0) throw new Error(lines.join('\n'));
    return lines;
  } finally {
    await database.close();
  }
}
