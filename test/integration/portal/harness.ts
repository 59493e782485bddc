import { randomUUID } from 'node:crypto';
import { withEvents } from '@pulsewire/eventlog';
import { createIngest } from '@pulsewire/ingest';
import { createApiKey } from '@pulsewire/connections';
import type { Database } from '@pulsewire/database';
import { drawVersion, writeRecords } from '@pulsewire/store';
import type { Logger } from '@pulsewire/kernel';
import { mountPages } from '../../../services/standalone/src/mount-pages.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../api/support/harness.ts';
import { recordAttempt } from '../api/support/webhook-facts.ts';
import { cipher, createHarness, type Harness } from '../ingest/support/harness.ts';

/** Values of steps that no page may contain while they are masked. */
export const secretValue = 4321;

export interface PortalHarness {
  readonly url: string;
  readonly team: Caller;
  readonly ingest: Harness;
  readonly api: ApiHarness;
  readonly webhookId: string;
  /** Ids of users by what is special about them. */
  readonly users: Readonly<Record<'walker' | 'broken' | 'newcomer', string>>;
  /** A key of the team with these scopes. */
  newKey(scopes: Parameters<typeof createApiKey>[2]['scopes']): Promise<string>;
  close(): Promise<void>;
}

/** The night of 2026-03-19: eight hours in bed, with every stage. */
async function storeNight(database: Database, { labs }: ApiHarness, owner: { teamId: string; userId: string; clientUserId: string }) {
  const summary = {
    kind: 'summary',
    source: { provider: 'wristband', type: 'watch' },
    calendarDate: '2026-03-19',
    at: Date.parse('2026-03-18T17:00:00Z'),
  } as const;
  const id = randomUUID();
  const bedtime = { bedtime_start: '2026-03-18T17:00:00+00:00', bedtime_stop: '2026-03-19T01:00:00+00:00' };
  const sleep = {
    ...summary,
    id,
    resource: 'sleep',
    data: { ...bedtime, type: 'long_sleep', duration: 28_800, total: 25_200, awake: 3600, light: 18_000, rem: 3600, deep: 3600 },
  } as const;
  const stages = {
    sleep_id: id,
    session_start: '2026-03-18T17:00:00+00:00',
    session_end: '2026-03-19T01:00:00+00:00',
    stage_start_offset_second: [0, 3600, 10_800, 14_400, 18_000],
    stage_end_offset_second: [3600, 10_800, 14_400, 18_000, 28_800],
    stage_type: [4, 2, 1, 3, 2],
  };
  const cycle = { ...summary, id: randomUUID(), resource: 'sleep_cycle', data: stages } as const;
  const version = await drawVersion(database);
  const batch = { owner, version, origin: 'live', records: [sleep, cycle], sourceId: 1, traceId: null, rawCipher: labs.cipher } as const;
  await withEvents(database, (tx, emit) => writeRecords(tx, emit, batch));
}

/** The API with the portal on a port, and a team whose users show what support is asked about. */
export async function createPortalHarness(database: Database, options: { readonly logger?: Logger } = {}): Promise<PortalHarness> {
  const ingest = await createHarness(database);
  const { clock, wristband } = ingest;
  const secret = 'a secret of more than thirty-two characters';
  const api = await createApiHarness(database, {
    connectors: [wristband.connector],
    config: { port: 0, baseUrl: undefined as never },
    ...(options.logger && { logger: options.logger }),
    overrides: {
      clock,
      cipher,
      async mount(app, { links }) {
        await mountPages(app, links, { isPortalOn: true, secret, clock, logger: links.logger });
      },
    },
  });
  const { url } = await api.api.listen();
  const team = await api.newCaller();
  const { teamId } = team.team;
  const webhookId = (await team.call('POST', '/v2/team/webhook', { url: 'https://receiver.test/hook' })).body.id;
  wristband.setValue('moves', '2026-03-15', -1);
  wristband.setValue('moves', '2026-03-19', secretValue);
  const link = async (reference: string) => {
    const { userId, connectionId } = await ingest.link({ teamId, scopes: ['move'] });
    await team.call('PATCH', `/v2/user/${userId}`, { client_user_id: reference });
    return { userId, connectionId };
  };
  const walker = await link('walker');
  const broken = await link('broken');
  await createIngest(ingest.options).drain();
  const { sql } = database;
  await sql`UPDATE connections SET denied_scopes = '{scale}' WHERE connection_id = ${walker.connectionId}`;
  await sql`UPDATE connections SET status = 'error', error_type = 'token_refresh_failed', error_message = 'The provider refused the token',
    errored_at = '2026-03-20T08:00:00Z' WHERE connection_id = ${broken.connectionId}`;
  await team.call('PATCH', `/v2/user/${walker.userId}`, { fallback_time_zone: 'Asia/Kolkata' });
  await storeNight(database, api, { teamId, userId: walker.userId, clientUserId: 'walker' });
  const newcomer = (await team.call('POST', '/v2/user', { client_user_id: 'newcomer' })).body.user_id;
  const events = await sql<{ eventId: string }[]>`
    SELECT event_id AS "eventId" FROM log_events WHERE user_id = ${walker.userId} AND event_type LIKE 'daily.%' ORDER BY written_at LIMIT 2`;
  // The log has the time of the database, not that of the test's clock.
  const at = new Date();
  for (const [index, event] of events.entries())
    await recordAttempt(database, webhookId, event as never, { outcome: index === 0 ? 'exhausted' : 'delivered', at, error: null });
  return {
    url,
    team,
    ingest,
    api,
    webhookId,
    users: { walker: walker.userId, broken: broken.userId, newcomer },
    newKey: async (scopes) => (await createApiKey(database, clock, { team: team.team, label: 'Support', scopes: scopes ?? null })).key,
    async close() {
      await api.close();
      await ingest.close();
    },
  };
}
