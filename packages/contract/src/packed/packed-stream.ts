import { ByteReader, ByteWriter } from './bytes.ts';
import { openStreamColumn, writeStreamColumn } from './stream-column.ts';
import type { StreamChannel, WorkoutStream } from '../records/records.ts';

type Data = WorkoutStream['data'];
type ColumnName = 'time' | StreamChannel;

const version = 1;
/** The index of a column is its number in the packed bytes, so only append. */
const names: readonly ColumnName[] = [
  'time',
  'cadence',
  'altitude',
  'velocity_smooth',
  'heartrate',
  'lat',
  'lng',
  'distance',
  'power',
  'resistance',
  'temperature',
];
/** A year of seconds; the bound prevents a damaged count from being read for hours. */
const countMax = 40_000_000;

/** A column of a packed stream. */
export interface PackedColumn {
  readonly count: number;
  /** Values in order, at most `size` at once. */
  chunks(size: number): Generator<readonly (number | null)[]>;
}

/** Packs a workout stream: of each channel the differences between values. Equal streams have equal bytes. */
export function packStream(data: Data): Buffer {
  const writer = new ByteWriter(256 + data.time.length * 4);
  const present = names.filter((name) => data[name] !== undefined);
  writer.byte(version);
  writer.varint(present.length);
  for (const name of present) {
    const values = data[name] ?? [];
    const column = new ByteWriter(64 + values.length * 2);
    writeStreamColumn(column, values);
    writer.byte(names.indexOf(name));
    writer.varint(values.length);
    writer.bytes(column.finish());
  }
  return writer.finish();
}

function* chunksOf(bytes: Buffer, count: number, size: number): Generator<readonly (number | null)[]> {
  const reader = new ByteReader(bytes);
  const next = openStreamColumn(reader);
  for (let start = 0; start < count; start += size) yield Array.from({ length: Math.min(size, count - start) }, next);
  reader.end();
}

/**
 * The columns of a packed stream, each decoded only on demand. Throws AppError `packed_samples_unreadable` when the
 * bytes are damaged or of an unknown version, at the latest at the faulty value.
 */
export function openStream(packed: Buffer): ReadonlyMap<ColumnName, PackedColumn> {
  const reader = new ByteReader(packed);
  if (reader.byte() !== version) throw reader.fail('unknown_version');
  const columns = new Map<ColumnName, PackedColumn>();
  for (let left = reader.varint(); left > 0; left--) {
    const name = names[reader.byte()];
    const count = reader.varint();
    const bytes = reader.bytes();
    if (name === undefined || columns.has(name)) throw reader.fail('bad_column');
    if (count > countMax) throw reader.fail('too_many_values');
    columns.set(name, { count, chunks: (size) => chunksOf(bytes, count, size) });
  }
  reader.end();
  return columns;
}

/** Restores the input of `packStream`. */
export function unpackStream(packed: Buffer): Data {
  const columns = openStream(packed);
  const valuesOf = ({ count, chunks }: PackedColumn) => [...chunks(Math.max(1, count))].flat();
  return Object.fromEntries([...columns].map(([name, column]) => [name, valuesOf(column)])) as unknown as Data;
}
