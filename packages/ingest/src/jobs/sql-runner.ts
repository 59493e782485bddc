import type { Executor } from '@pulsewire/database';
import type { ConnectionOptions } from 'pg-boss';

type Runner = NonNullable<ConnectionOptions['db']>;

/** Our pool or one of our transactions, as pg-boss wants to see it: jobs then commit with the change that asks for them. */
export function sqlRunner({ sql }: Executor): Runner {
  return {
    async executeSql(text, values) {
      const rows = await sql.unsafe(text, values as never[] | undefined);
      return { rows: [...rows] };
    },
  };
}
