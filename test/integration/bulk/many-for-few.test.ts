import { noMetrics, silentLogger, systemClock } from '@pulsewire/kernel';
import { createTeam, openImport, putOAuthCredential } from '@pulsewire/connections';
import { createCipher, type Tx } from '@pulsewire/database';
import { findConnector } from '@pulsewire/providers';
import { expect, it } from 'vitest';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();

/** A transaction whose updates of recipes are explained while they run, with the plans in `plans`. */
function explaining(tx: Tx, plans: string[]): Tx {
  const sql = Object.assign(async (strings: TemplateStringsArray, ...values: never[]) => {
    if (!strings[0]?.includes('UPDATE bulk_items')) return tx.sql(strings, ...values);
    const explained = Object.assign([`EXPLAIN (ANALYZE, TIMING OFF) ${strings[0]}`, ...strings.slice(1)], { raw: strings.raw });
    const rows = await tx.sql<{ 'QUERY PLAN': string }[]>(explained, ...values);
    plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
    return Object.assign([], { count: 0 });
  }, tx.sql);
  return { ...tx, sql: sql as unknown as Tx['sql'] };
}

it('compares each recipe with few others when thousands are for the same users, whatever the planner knows', async () => {
  const { current } = database;
  const cipher = createCipher(new Map([[1, Buffer.alloc(32, 7)]]));
  const { teamId } = await createTeam(current, systemClock, { name: 'importer', isSandbox: false });
  const application = { clientId: 'id', clientSecret: 'secret', redirectUrlOverride: null };
  await putOAuthCredential(current, { cipher, clock: systemClock }, { teamId, provider: 'fitbit', ...application });
  const plans: string[] = [];
  const context = {
    database: { ...current, transaction: <T>(work: (tx: Tx) => Promise<T>) => current.transaction((tx) => work(explaining(tx, plans))) },
    cipher,
    clock: systemClock,
    logger: silentLogger,
    metrics: noMetrics,
    connectorFor: findConnector,
    requestWork: async () => {},
  };
  const upload = async (users: readonly string[]) => {
    const opened = await openImport(context, teamId, 'http://127.0.0.1');
    const tokens = { accessToken: 'a', refreshToken: null, expiresAt: null, scopes: null };
    await opened.add(users.map((userId) => ({ userId, providerUserId: userId, ...tokens })));
    await opened.finish('fitbit');
  };
  // Statistics of one large import: the planner then expects a single recipe in the next one.
  await upload(Array.from({ length: 8000 }, () => crypto.randomUUID()));
  await current.sql`ANALYZE bulk_items`;
  const users = Array.from({ length: 10 }, () => crypto.randomUUID());
  const count = 2000;
  await upload(Array.from({ length: count }, (_, place) => users[place % users.length] ?? ''));
  const plan = plans.at(-1) ?? '';
  expect(plan).toMatch(/Update on bulk_items/);
  const compared = [...plan.matchAll(/Rows Removed by Join Filter: (\d+)/g)].reduce((sum, [, rows]) => sum + Number(rows), 0);
  expect(compared).toBeLessThan(10 * count);
});
