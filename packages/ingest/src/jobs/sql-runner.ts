import type { Executor } from '@pulsewire/database';
import type { ConnectionOptions } from 'pg-boss';

type Runner = NonNullable<ConnectionOptions['db']>;

/** Our pool or transaction in the form that pg-boss expects, so that jobs commit with the change that requests them. */
export function sqlRunner({ sql }: Executor): Runner {
  return {
    async executeSql(text, values) {
      const rows = await sql.unsafe(text, values as never[] | undefined);
      return { rows: [...rows] };
    },
  };
}
