import { sql, type SQL } from 'drizzle-orm';
import { plainArray } from '@pulsewire/database';
import type { PgColumn } from 'drizzle-orm/pg-core';

/** Whether a uuid is one of these. A single parameter, so that lists of every length share one prepared statement. */
export const isAmong = (column: PgColumn, ids: readonly string[]): SQL => sql`${column} = ANY(${plainArray(ids)}::uuid[])`;
