import type { Database, Executor } from '@pulsewire/database';
import type { ConnectionOptions } from 'pg-boss';

type Runner = NonNullable<ConnectionOptions['db']>;

/** Our driver takes times and JSON as text; pg-boss passes the values themselves. */
function asParameter(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  const isJson = typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value);
  return isJson ? JSON.stringify(value) : value;
}

/** Our pool or transaction in the form that pg-boss expects, so that jobs commit with the change that requests them. */
export function sqlRunner({ sql }: Executor): Runner {
  return {
    async executeSql(text, values) {
      const rows = await sql.unsafe(text, values?.map(asParameter) as never[] | undefined);
      return { rows: [...rows] };
    },
  };
}

/** Texts with several statements have a result for each. */
const rowsOf = (result: readonly unknown[]): unknown[] => (result.every(Array.isArray) ? result.flat() : [...result]);

/**
 * Our pool. pg-boss sends the transactions of its maintenance as one text from BEGIN to COMMIT, which needs a connection for itself: in the
 * pool another statement could follow before the COMMIT. One that fails is rolled back before the connection returns.
 */
export function poolRunner(database: Database): Runner {
  const plain = sqlRunner(database);
  return {
    async executeSql(text, values) {
      if (!/^\s*BEGIN\s*;/i.test(text)) return plain.executeSql(text, values);
      const session = await database.reserve();
      try {
        return { rows: rowsOf(await session.unsafe(text)) };
      } catch (error) {
        await session.unsafe('ROLLBACK').catch(() => {});
        throw error;
      } finally {
        session.release();
      }
    },
  };
}

/** The same with notifications of new jobs, so that pg-boss needs no connections of its own. */
export function listeningRunner(database: Database): Runner {
  return {
    ...poolRunner(database),
    async listen(channel, onNotification, onReconnect) {
      const subscription = await database.listen(channel, (payload) => (payload === '' ? onReconnect() : onNotification(payload)));
      return { close: () => subscription.unlisten() };
    },
  };
}
