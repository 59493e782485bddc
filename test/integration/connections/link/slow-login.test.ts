import { beforeAll, describe, expect, it } from 'vitest';
import { getAccessToken, linkWithPassword, listConnections, type LinkContext } from '@pulsewire/connections';
import { findConnector, type Connector } from '@pulsewire/providers';
import { useDatabase } from '../../../support/database.ts';
import { createHarness, type Harness } from '../harness.ts';

const database = useDatabase();
let harness: Harness;
beforeAll(async () => {
  harness = await createHarness(database.current);
});

/** The strap, as a provider that documents how long its logins may take. */
function taking(loginTimeoutMs: number, gate: Partial<LinkContext['gate']> = {}): LinkContext {
  const strap = harness.context.connectorFor('strap') as Connector;
  const slow = { ...strap, password: strap.password && { ...strap.password, loginTimeoutMs } };
  const connectorFor = (slug: string) => (slug === 'strap' ? slow : harness.context.connectorFor(slug));
  return { ...harness.context, connectorFor, gate: { ...harness.context.gate, ...gate } };
}

const waitForAbort = ({ signal }: { readonly signal: AbortSignal }): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

async function login(context: LinkContext) {
  const user = await harness.newUser();
  const token = await harness.newToken(user);
  const about = { token, teamId: null, provider: 'strap', region: null, traceId: null };
  return { user, outcome: await linkWithPassword(context, { ...about, username: 'ann', password: 'right' }) };
}

describe('a login at a provider that documents how long it may take', () => {
  it('has that timeout: a minute for LibreView', () => {
    expect(findConnector('abbott_libreview')?.password?.loginTimeoutMs).toBe(60_000);
  });

  it('fails after that time as a failure of the provider', async () => {
    const { outcome } = await login(taking(60, { login: waitForAbort }));
    expect(outcome).toMatchObject({ state: 'error', errorType: 'provider_api_error' });
  });

  it('holds its lock that long, so that no concurrent attempt calls the provider', async () => {
    let leftSeconds = 0;
    harness.logins.beforeResponse = async () => {
      harness.logins.beforeResponse = async () => {};
      const [row] = await database.current.sql<{ left: number }[]>`
        SELECT max(extract(epoch FROM callback_until - clock_timestamp()))::float8 AS left FROM link_sessions`;
      leftSeconds = row?.left ?? 0;
    };
    expect((await login(taking(60_000))).outcome).toMatchObject({ state: 'success' });
    expect(leftSeconds).toBeGreaterThan(60);
  });

  it('has the same timeout, and a matching lease, when it refreshes the token', async () => {
    const { user } = await login(taking(60_000));
    const [connection] = await listConnections(database.current, user.teamId, [user.userId]);
    const connectionId = connection?.connectionId ?? '';
    const { sql } = database.current;
    await sql`UPDATE connection_tokens SET expires_at = now() WHERE connection_id = ${connectionId}`;
    let leftSeconds = 0;
    harness.logins.beforeResponse = async () => {
      harness.logins.beforeResponse = async () => {};
      const [row] = await sql<{ left: number }[]>`
        SELECT extract(epoch FROM lease_until - clock_timestamp())::float8 AS left FROM connection_tokens WHERE connection_id = ${connectionId}`;
      leftSeconds = row?.left ?? 0;
    };
    await getAccessToken(taking(60_000), connectionId);
    expect(leftSeconds).toBeGreaterThan(60);
  });
});
