import { bigint, customType, date, timestamp, type PgTable } from 'drizzle-orm/pg-core';

// The names stay literal types, so that `SqlRow` can use them.

export const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });
export const instant = <Name extends string>(name: Name) => timestamp(name, { withTimezone: true, mode: 'date' });
/** `YYYY-MM-DD`: a Date would move the day into a time zone. */
export const day = <Name extends string>(name: Name) => date(name, { mode: 'string' });
export const counter = <Name extends string>(name: Name) => bigint(name, { mode: 'bigint' });

/** The client returns timestamps and bigints as text; drizzle converts them, hand-written SQL does not. */
type AsText<Data> = Data extends Date | bigint ? string : Data;

/** A row as a hand-written statement returns it: the database's column names, timestamps and bigints as text. */
export type SqlRow<Table extends PgTable> = {
  readonly [Column in Table['_']['columns'][keyof Table['_']['columns']] as Column['_']['name']]: Column['_']['notNull'] extends true
    ? AsText<Column['_']['data']>
    : AsText<Column['_']['data']> | null;
};
