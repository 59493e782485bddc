import { randomUUID } from 'node:crypto';
import type { Database } from '@pulsewire/database';
import type { LabsContext, OrderFilter } from '@pulsewire/labs';
import { searchHashes } from '../../../packages/labs/src/orders/sealed/name-hashes.ts';
import { readTeamKey } from '../../../packages/labs/src/orders/sealed/team-key.ts';

/** 20,000 centers, divided among the labs and spread over the ZIP areas. */
export async function addCenters({ sql }: Database): Promise<void> {
  await sql`DELETE FROM lab_service_centers`;
  await sql`
    INSERT INTO lab_service_centers (lab_id, site_code, name, first_line, city, state, zip_code, lat, lng, iana_timezone, capabilities, bill_types, is_active, origin)
    SELECT l.lab_id, z.zip_code, 'Center', '1 Main St', 'City', 'AZ', z.zip_code, z.lat, z.lng, z.iana_timezone,
      CASE WHEN z.n % 3 = 0 THEN ARRAY['stat'] ELSE '{}' END, l.bill_types, true, 'imported'
    FROM (SELECT a.*, row_number() OVER (ORDER BY md5(zip_code)) AS n FROM zip_areas a) z
    JOIN labs l ON l.has_service_centers
    WHERE z.n <= 5000`;
  await sql`ANALYZE lab_service_centers`;
}

const methods = ['walk_in_test', 'at_home_phlebotomy', 'testkit', 'on_site_collection'];

/** Orders of one team with five events each, inserted as rows. */
export async function addOrders(context: LabsContext, teamId: string, count: number): Promise<string> {
  const { sql } = context.database;
  const [hash] = searchHashes(await readTeamKey(context.database, context, teamId), 'Hara');
  const [testId, userId, now] = [randomUUID(), randomUUID(), new Date().toISOString()];
  await sql`
    INSERT INTO lab_tests (lab_test_id, team_id, lab_id, slug, name, description, method, sample_type, status, price_minor, created_at, updated_at)
    VALUES (${testId}, ${teamId}, 27, 'test', 'Test', 'Test', 'walk_in_test', 'serum', 'active', 100, ${now}, ${now})`;
  await sql`
    CREATE TEMP TABLE made AS SELECT n, gen_random_uuid() AS order_id, gen_random_uuid() AS transaction_id,
      CASE WHEN n % 100 = 0 THEN ${userId}::uuid ELSE gen_random_uuid() END AS user_id,
      (${methods}::text[])[1 + n % 4] AS method FROM generate_series(1, ${count}::int) n`;
  await sql`INSERT INTO lab_order_transactions (transaction_id, team_id, user_id, created_at) SELECT transaction_id, ${teamId}, user_id, now() FROM made`;
  await sql`
    INSERT INTO lab_orders (order_id, team_id, user_id, transaction_id, origin, lab_id, lab_test_id, method, status, status_at, interpretation,
      billing_type, activate_by, name_hashes, created_at, updated_at)
    SELECT order_id, ${teamId}, user_id, transaction_id, 'initial', 27, ${testId}, method,
      CASE WHEN n % 3 = 0 THEN 'completed.' || method || '.completed' ELSE 'received.' || method || '.ordered' END, now(),
      CASE WHEN n % 50 = 0 THEN 'critical' WHEN n % 3 = 0 THEN 'normal' END, 'client_bill', CASE WHEN n % 20 = 0 THEN date '2099-01-01' END,
      ARRAY[n % 676, 10000 + n % 5000, CASE WHEN n % 20 = 0 THEN ${String(hash)}::bigint ELSE 0 END]::bigint[], now() - n * interval '1 minute', now() - n * interval '1 minute' FROM made`;
  await sql`
    INSERT INTO lab_order_events (order_id, status, created_at)
    SELECT order_id, 'received.' || method || '.ordered', now() FROM made, generate_series(1, 5)`;
  const orders = await sql<{ id: string }[]>`SELECT order_id AS id FROM made`;
  const secrets = { patient: { first_name: 'Ann', last_name: 'Hara', dob: '1990-01-01', gender: 'female' }, address: null, shipping: null };
  const rest = {
    physician: null,
    clinicalNotes: null,
    passthrough: null,
    icdCodes: null,
    answers: [],
    consents: [],
    creatorMemberId: null,
  };
  const text = JSON.stringify({ ...secrets, ...rest });
  for (let at = 0; at < orders.length; at += 5000) {
    const rows = orders
      .slice(at, at + 5000)
      .map(({ id }) => ({ order_id: id, details: context.cipher.seal(text, `lab_order_details:${id}`) }));
    await sql`INSERT INTO lab_order_details ${sql(rows)}`;
  }
  // A few users are deleted and not erased yet.
  await sql`
    INSERT INTO users (user_id, team_id, client_user_id, created_at)
    SELECT user_id, ${teamId}, user_id::text, now() FROM made GROUP BY user_id`;
  await sql`UPDATE users SET deleted_at = now() WHERE team_id = ${teamId} AND user_id <> ${userId} AND abs(hashtext(user_id::text)) % 200 = 0`;
  await sql`DROP TABLE made`;
  for (const table of ['lab_orders', 'lab_order_events', 'lab_order_details', 'lab_order_transactions', 'users'])
    await sql`VACUUM (ANALYZE) ${sql(table)}`;
  return userId;
}

/** One of each kind of filter, by its name in the output. */
export function filtersOf(userId: string): Record<string, OrderFilter> {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000);
  return {
    'no filter': {},
    status: { statuses: ['completed'] },
    kind: { methods: ['testkit'] },
    'kind and dates': { methods: ['testkit'], from: day(60), to: day(10) },
    'status and kind': { statuses: ['ordered'], methods: ['testkit'] },
    critical: { isCritical: true },
    'not critical': { isCritical: false },
    user: { userId },
    dates: { from: day(30), to: day(10) },
    updated: { updatedFrom: day(20) },
    scheduled: { activation: ['scheduled'] },
    current: { activation: ['current'] },
    'by status': { orderKey: 'last_status' },
    'oldest first': { direction: 'asc' },
    'patient name': { patientName: 'Hara' },
  };
}
