import { afterEach, describe, expect, it } from 'vitest';
import { assertUsable, openDatabase, type Database } from '@pulsewire/database';
import { useDatabase } from '../../support/database.ts';
import { poolerVersion, startPooler, type Pooler } from '../../support/pooler.ts';

const database = useDatabase();
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function through(mode: Parameters<typeof startPooler>[1], settings: readonly string[] = []): Promise<Database> {
  const pooler: Pooler = await startPooler(database.url, mode, settings);
  closers.push(() => pooler.stop());
  const pool = openDatabase({ url: pooler.url, name: 'pooled', connectionsMax: 4 });
  closers.push(() => pool.close());
  return pool;
}

const dropped = 'ignore_startup_parameters = extra_float_digits,plan_cache_mode,idle_in_transaction_session_timeout,statement_timeout';

describe.skipIf(poolerVersion === null)(`behind PgBouncer ${poolerVersion}`, () => {
  it.each([[[]], [[dropped]], [['server_round_robin = 1']]])(
    'a start is refused at once in transaction mode, with settings %j',
    async (settings) => {
      const pool = await through('transaction', settings);
      // Other clients keep several sessions of the server busy.
      await Promise.all(Array.from({ length: 4 }, () => pool.sql.unsafe('SELECT pg_sleep(0.05)')));
      await expect(assertUsable(pool)).rejects.toMatchObject({
        code: 'database_sessions_not_kept',
        retryable: false,
        message: expect.stringContaining('session mode'),
      });
    },
  );

  it.each([[[]], [[dropped]]])('everything works in session mode, with settings %j', async (settings) => {
    const pool = await through('session', settings);
    await expect(assertUsable(pool)).resolves.toBeUndefined();
    const [session] = await pool.sql`
      SELECT current_setting('plan_cache_mode') AS plans, current_setting('statement_timeout') AS timeout, current_setting('DateStyle') AS dates`;
    expect(session).toEqual({ plans: 'force_generic_plan', timeout: '100s', dates: 'ISO, MDY' });
    const heard = Promise.withResolvers<string>();
    const subscription = await pool.listen('pooled', (payload) => payload !== '' && heard.resolve(payload));
    await pool.sql`SELECT pg_notify('pooled', 'hello')`;
    expect(await heard.promise).toBe('hello');
    await subscription.unlisten();
    await pool.transaction(async (tx) => void (await tx.sql`CREATE TABLE IF NOT EXISTS through (n int)`));
    expect(await pool.sql`SELECT count(*)::int AS rows FROM through`).toEqual([{ rows: 0 }]);
  });
});
