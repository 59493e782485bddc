import type { Database, Executor } from '../client.ts';
import { sealedMarkBytes, type Cipher } from './cipher.ts';
import { byteaArray, textArray } from '../writes/array-literals.ts';

/**
 * A column that holds sealed values. Every owner of such columns exports a list of them; a test fails for a sealed column that is in no
 * list, because key rotation would miss it.
 */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** Columns of the same row that `context` is made of. */
  readonly contextColumns: readonly string[];
  /** The context that the value is bound to, from the texts of these columns in their order. */
  context(values: readonly string[]): string;
}

/** Values of one column by the key that sealed them. */
export interface SealedUse {
  readonly table: string;
  readonly column: string;
  readonly keyId: number;
  readonly values: number;
}

export interface Rotation {
  /** Values that are sealed with the current key now, and were not before. */
  readonly resealed: number;
  /** Values that could not be opened: their key is not configured, or they are broken. They stay as they are. */
  readonly unreadable: number;
}

/** Number of table pages that one step examines: about a thousand rows. */
const stepPages = 64;
/**
 * Maximum number of sealed bytes that one statement reads and writes, unless a single value is larger: some values are large and stored
 * outside the pages (TOAST).
 */
const batchBytesMax = 8 * 1024 * 1024;
/**
 * Rows move while they are rewritten, and other processes write too: the table is scanned until nothing is left, at most this many times.
 */
const passesMax = 20;

interface StaleRow {
  readonly place: string;
  readonly size: number;
}

interface SealedRow {
  readonly place: string;
  readonly sealed: Buffer;
  readonly context: string[];
}

// A partitioned table is scanned partition by partition, because row addresses are local to a partition.
async function leavesOf({ sql }: Executor, table: string): Promise<readonly string[]> {
  const rows = await sql<{ name: string }[]>`SELECT relid::regclass::text AS name FROM pg_partition_tree(${table}::regclass) WHERE isleaf`;
  // An ordinary table has no partition tree.
  return rows.length > 0 ? rows.map((row) => row.name) : [table];
}

async function pagesOf({ sql }: Executor, table: string): Promise<number> {
  const [row] = await sql<{ pages: number }[]>`
    SELECT (pg_relation_size(${table}::regclass) / current_setting('block_size')::int)::int AS pages`;
  return row?.pages ?? 0;
}

/** The key of a value, without reading all of it. */
function keyIn({ sql }: Executor, { column }: Pick<SealedColumn, 'column'>) {
  return sql`get_byte(substring(${sql(column)} FROM 2 FOR 1), 0)`;
}

function staleRows(
  executor: Executor,
  leaf: string,
  column: SealedColumn,
  currentKeyId: number,
  page: number,
): Promise<readonly StaleRow[]> {
  const { sql } = executor;
  return sql<StaleRow[]>`
    SELECT ctid::text AS place, octet_length(${sql(column.column)}) AS size FROM ${sql(leaf)}
    WHERE ctid >= ${`(${page},0)`}::tid AND ctid < ${`(${page + stepPages},0)`}::tid AND ${keyIn(executor, column)} <> ${currentKeyId}`;
}

/** Row addresses in batches that fit into memory; a value larger than a batch gets its own. */
function inBatches(rows: readonly StaleRow[]): readonly string[][] {
  const batches: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const { place, size } of rows) {
    if (bytes + size > batchBytesMax) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(place);
    bytes += size;
  }
  return batches;
}

async function readRows(
  executor: Executor,
  leaf: string,
  column: SealedColumn,
  currentKeyId: number,
  places: readonly string[],
): Promise<readonly SealedRow[]> {
  const { sql } = executor;
  const context = column.contextColumns.map((name) => sql`${sql(name)}::text`);
  const contextArray = context.reduce((list, part, place) => (place === 0 ? part : sql`${list}, ${part}`), sql``);
  return sql<SealedRow[]>`
    SELECT ctid::text AS place, ${sql(column.column)} AS sealed, ARRAY[${contextArray}]::text[] AS context FROM ${sql(leaf)}
    WHERE ctid = ANY(ARRAY(SELECT place::tid FROM unnest(${textArray(places)}::text[]) AS n(place))) AND ${keyIn(executor, column)} <> ${currentKeyId}`;
}

async function resealBatch(
  database: Database,
  cipher: Cipher,
  leaf: string,
  column: SealedColumn,
  places: readonly string[],
): Promise<Rotation> {
  const rows = await readRows(database, leaf, column, cipher.currentKeyId, places);
  const opened = rows.flatMap(({ place, sealed, context }) => {
    const bound = column.context(context);
    try {
      return [{ place, mark: sealed.subarray(0, sealedMarkBytes), fresh: cipher.sealBytes(cipher.openBytes(sealed, bound), bound) }];
    } catch {
      return [];
    }
  });
  const unreadable = rows.length - opened.length;
  if (opened.length === 0) return { resealed: 0, unreadable };
  const { sql } = database;
  const value = sql(column.column);
  // Only rows that are still unchanged: a value that changed in the meantime is newer, and the next pass examines it.
  const result = await sql`
    UPDATE ${sql(leaf)} t SET ${value} = n.fresh
    FROM unnest(${textArray(opened.map(({ place }) => place))}::text[], ${byteaArray(opened.map(({ mark }) => mark))}::bytea[],
      ${byteaArray(opened.map(({ fresh }) => fresh))}::bytea[]) AS n(place, mark, fresh)
    WHERE t.ctid = n.place::tid AND substring(t.${value} FROM 1 FOR ${sealedMarkBytes}) = n.mark`;
  return { resealed: result.count, unreadable };
}

async function passOverLeaf(
  database: Database,
  cipher: Cipher,
  leaf: string,
  column: SealedColumn,
  signal: AbortSignal,
): Promise<Rotation> {
  let [resealed, unreadable] = [0, 0];
  const pages = await pagesOf(database, leaf);
  for (let page = 0; page < pages && !signal.aborted; page += stepPages) {
    for (const places of inBatches(await staleRows(database, leaf, column, cipher.currentKeyId, page))) {
      if (signal.aborted) break;
      const done = await resealBatch(database, cipher, leaf, column, places);
      resealed += done.resealed;
      unreadable += done.unreadable;
    }
  }
  return { resealed, unreadable };
}

// An expired partition may be dropped while it is scanned.
const nothingThere = (error: unknown): Rotation => {
  if ((error as { code?: string }).code !== '42P01') throw error;
  return { resealed: 0, unreadable: 0 };
};

async function passOver(database: Database, cipher: Cipher, column: SealedColumn, signal: AbortSignal): Promise<Rotation> {
  let [resealed, unreadable] = [0, 0];
  for (const leaf of await leavesOf(database, column.table)) {
    const done = await passOverLeaf(database, cipher, leaf, column, signal).catch(nothingThere);
    resealed += done.resealed;
    unreadable += done.unreadable;
  }
  return { resealed, unreadable };
}

async function countStale(executor: Executor, column: SealedColumn, currentKeyId: number): Promise<number> {
  const { sql } = executor;
  const [row] = await sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM ${sql(column.table)} WHERE ${keyIn(executor, column)} <> ${currentKeyId}`;
  return row?.count ?? 0;
}

/**
 * Seals every value of a column with the current key, in small steps of one statement each, while other processes continue reading and
 * writing; their changes win. May be interrupted anywhere: the next run does the rest. Every process must have the new key before; a
 * process that still seals with an old key shows up as values that remain under it.
 */
export async function rotateSealed(
  database: Database,
  cipher: Cipher,
  column: SealedColumn,
  signal: AbortSignal = new AbortController().signal,
): Promise<Rotation> {
  let resealed = 0;
  let unreadable = 0;
  for (let pass = 0; pass < passesMax && !signal.aborted; pass++) {
    const done = await passOver(database, cipher, column, signal);
    resealed += done.resealed;
    ({ unreadable } = done);
    if ((await countStale(database, column, cipher.currentKeyId)) <= unreadable) break;
  }
  return { resealed, unreadable };
}

/** The keys with which the values of a column are sealed. A key that no column uses may be removed from the configuration. */
export async function sealedUses(executor: Executor, { table, column }: SealedColumn): Promise<readonly SealedUse[]> {
  const { sql } = executor;
  const rows = await sql<{ key_id: number; count: number }[]>`
    SELECT ${keyIn(executor, { column })} AS key_id, count(*)::int AS count FROM ${sql(table)} WHERE ${sql(column)} IS NOT NULL GROUP BY 1 ORDER BY 1`;
  return rows.map((row) => ({ table, column, keyId: row.key_id, values: row.count }));
}
