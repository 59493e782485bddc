import { sql, type SQL } from 'drizzle-orm';
import { plainArray } from '@pulsewire/database';
import { bigint, customType, date, timestamp, type PgColumn } from 'drizzle-orm/pg-core';

// The names stay literal types, so that rows of hand-written statements can be typed by them.

export const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });
export const instant = <Name extends string>(name: Name) => timestamp(name, { withTimezone: true, mode: 'date' });
/** `YYYY-MM-DD`: a Date could shift the day by its time zone. */
export const day = <Name extends string>(name: Name) => date(name, { mode: 'string' });
export const counter = <Name extends string>(name: Name) => bigint(name, { mode: 'bigint' });

/** Whether a uuid is one of these. A single parameter, so that lists of every length share one prepared statement. */
export const isAmong = (column: PgColumn, ids: readonly string[]): SQL => sql`${column} = ANY(${plainArray(ids)}::uuid[])`;
