import { noMetrics, silentLogger, systemClock } from '@pulsewire/kernel';
import { createTeam, listOperations, openImport, putOAuthCredential, runImport } from '@pulsewire/connections';
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
    const rows = await tx.sql(explained, ...values);
    plans.push(rows.map((row) => String(row['QUERY PLAN'])).join('\n'));
    return Object.assign([], { count: 0 });
  }, tx.sql);
  return { ...tx, sql };
}

const comparedIn = (plan: string) =>
  [...plan.matchAll(/Rows Removed by Join Filter: (\d+)/g)].reduce((sum, [, rows]) => sum + Number(rows), 0);

it('compares each recipe of an upload with few others, whatever the planner knows about it', async () => {
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
  const users = Array.from({ length: 1000 }, () => crypto.randomUUID());
  const count = 4000;
  await upload(Array.from({ length: count }, (_, place) => users[place % users.length] ?? ''));
  const plan = plans.at(-1) ?? '';
  expect(plan).toMatch(/Update on bulk_items/);
  expect(comparedIn(plan)).toBeLessThan(10 * count);

  // Each batch of 250 recipes ends with a statement of its own.
  const refresh = () => Promise.reject(new Error('No recipe has expired'));
  plans.length = 0;
  for (const { operationId } of (await listOperations(current, { teamId, limit: 1, after: null })).slice(0, 1))
    await runImport({ ...context, gate: { refresh } }, operationId, new AbortController().signal);
  expect(plans.length).toBeGreaterThan(2);
  for (const batch of plans) {
    expect(comparedIn(batch)).toBeLessThan(250 * 250 + 1);
    const scanned = [...batch.matchAll(/Scan using \w+ on bulk_items i .*actual rows=(\d+)/g)].map(([, rows]) => Number(rows));
    expect(Math.max(0, ...scanned)).toBeLessThan(251);
  }
});
