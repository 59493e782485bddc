import type { PgTable } from 'drizzle-orm/pg-core';

/** The client returns timestamps and bigints as text; drizzle converts them, hand-written SQL does not. */
type AsText<Data> = Data extends Date | bigint ? string : Data;

/** A row as a hand-written statement returns it: the database's column names, timestamps and bigints as text. */
export type SqlRow<Table extends PgTable> = {
  readonly [Column in Table['_']['columns'][keyof Table['_']['columns']] as Column['_']['name']]: Column['_']['notNull'] extends true
    ? AsText<Column['_']['data']>
    : AsText<Column['_']['data']> | null;
};
