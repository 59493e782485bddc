import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Tx } from '@pulsewire/database';
import { linkConnection, linkImported } from '../../../packages/connections/src/connection-status/link.ts';
import { deleteConnections, deleteSimulated } from '../../../packages/connections/src/connection-status/remove.ts';
import { connectionTransitions } from '../../../packages/connections/src/connection-status/transitions.ts';
import { endIngestion, failConnection, pauseByTeam, resumeByTeam } from '../../../packages/connections/src/connection-status/stop.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase({ connectionsMax: 4 });
const now = new Date(Date.UTC(2026, 2, 20, 12));
const provider = 'wristband';

type Event = keyof typeof connectionTransitions;
const events = Object.keys(connectionTransitions) as readonly Event[];

interface Change {
  readonly before: string;
  readonly after: string;
  /** An error is described exactly while the status is `error`. */
  readonly is_described: boolean;
}

/** Records every written row with its status before and after, as the database sees it. */
async function watchChanges({ sql }: Tx): Promise<void> {
  await sql`CREATE TEMP TABLE changes (before text, after text, is_described boolean) ON COMMIT DROP`;
  await sql`
    CREATE FUNCTION pg_temp.note_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO changes VALUES (CASE WHEN TG_OP = 'INSERT' THEN 'none' ELSE OLD.status END, CASE WHEN TG_OP = 'DELETE' THEN 'none' ELSE NEW.status END,
        TG_OP = 'DELETE' OR (NEW.status = 'error') = (NEW.errored_at IS NOT NULL AND NEW.error_type IS NOT NULL AND NEW.error_message IS NOT NULL));
      RETURN NULL;
    END $$`;
  await sql`CREATE TRIGGER note_change AFTER INSERT OR UPDATE OR DELETE ON connections FOR EACH ROW EXECUTE FUNCTION pg_temp.note_change()`;
}

const rollBack = new Error('Nothing of a walk is kept');

/** Takes the steps from a user without a connection; `met` collects the changes that happened, by event. */
async function walk(tx: Tx, steps: readonly Event[], met: Set<string>): Promise<void> {
  const [teamId, userId] = [randomUUID(), randomUUID()];
  await tx.sql`
    INSERT INTO users (user_id, team_id, client_user_id, created_at) VALUES (${userId}, ${teamId}, 'walker', ${now.toISOString()})`;
  await tx.sql`INSERT INTO simulated_providers (provider) VALUES (${provider})`;
  await watchChanges(tx);
  const linked = { teamId, userId, provider, providerUserId: 'account', externalUserId: null } as const;
  const scopes = { grantedScopes: ['move'], deniedScopes: [], account: {} };
  const imported = [{ userId, providerUserId: 'account', granted: ['move'], denied: [] }];
  const connectionId = async () =>
    (await tx.sql<{ id: string }[]>`SELECT connection_id AS id FROM connections WHERE user_id = ${userId}`)[0]?.id;
  const ids = async () => [(await connectionId()) ?? randomUUID()];
  const steer: Readonly<Record<Event, () => Promise<unknown>>> = {
    link: () => linkConnection(tx, { ...linked, application: 'team', ...scopes }, now),
    import: () => linkImported(tx, { teamId, provider, imported }, now),
    fail: async () => failConnection(tx, (await ids())[0] as string, { errorType: 'unknown', message: 'It ended' }, now),
    pause: () => pauseByTeam(tx, { teamId, provider, userIds: [userId] }, now),
    resume: () => resumeByTeam(tx, { teamId, provider }, 10, now),
    endIngestion: async () => {
      await endIngestion(tx, teamId, userId, now);
      await tx.sql`DELETE FROM connection_tokens WHERE connection_id = ANY(${await ids()}::uuid[])`;
    },
    remove: async () => deleteConnections(tx, teamId, await ids()),
    removeSimulated: () => deleteSimulated(tx, 10),
  };
  for (const event of steps) {
    const [before] = await tx.sql<{ status: string; has_tokens: boolean }[]>`
      SELECT status, t.connection_id IS NOT NULL AS has_tokens FROM connections c LEFT JOIN connection_tokens t USING (connection_id) WHERE c.user_id = ${userId}`;
    await steer[event]();
    const changes = await tx.sql<Change[]>`DELETE FROM changes RETURNING before, after, is_described`;
    expect(changes.length, `${event} writes one row at most`).toBeLessThanOrEqual(1);
    const legal: Readonly<Partial<Record<string, string>>> = connectionTransitions[event];
    // Of a pause that has no tokens any more only a link is a way out.
    const expected = event === 'resume' && before?.has_tokens === false ? undefined : legal[before?.status ?? 'none'];
    const [change] = changes;
    expect(change?.after, `${event} of ${before?.status ?? 'none'}`).toBe(expected);
    if (change) {
      expect(change.is_described, `${event}: an error is described exactly while the status is error`).toBe(true);
      met.add(`${event} ${change.before}`);
    }
    if (event === 'link' || event === 'import') {
      await tx.sql`
        INSERT INTO connection_tokens (connection_id, access_token, issued_at, token_version) VALUES (${(await ids())[0] as string}, '\\x00'::bytea, now(), 1)
        ON CONFLICT DO NOTHING`;
    }
  }
  throw rollBack;
}

test('a connection changes its status exactly as its transitions say', async () => {
  const met = new Set<string>();
  const steps = fc.array(fc.constantFrom<Event>(...events, 'link', 'link'), { minLength: 4, maxLength: 20 });
  const ways: readonly (readonly Event[])[] = [['link'], ['link', 'fail'], ['link', 'pause'], []];
  const examples = events.flatMap((event) => ways.map((way): [readonly Event[]] => [[...way, event]]));
  const property = fc.asyncProperty(steps, async (taken) => {
    await database.current.transaction((tx) => walk(tx, taken, met)).catch((error: unknown) => expect(error).toBe(rollBack));
  });
  await fc.assert(property, { numRuns: examples.length + 20, examples });
  // Every transition of the table has happened.
  const listed = Object.entries(connectionTransitions).flatMap(([event, from]) => Object.keys(from).map((before) => `${event} ${before}`));
  expect(listed.filter((change) => !met.has(change))).toEqual([]);
});
