import { openStream, WorkoutStreamBody, type PackedColumn } from '@pulsewire/contract';
import type { Chunks } from '../route/chunks.ts';
import { jsonArray, jsonObject } from './json-chunks.ts';

const valuesPerChunk = 4096;

type Columns = ReturnType<typeof openStream>;
type ColumnName = Columns extends ReadonlyMap<infer Name, unknown> ? Name : never;

async function* textsOf(name: ColumnName, column: PackedColumn | undefined): AsyncGenerator<readonly string[]> {
  // Stored as the provider sent it, but the response contains whole beats.
  const round = name === 'heartrate';
  for (const values of column?.chunks(valuesPerChunk) ?? []) {
    yield values.map((value) => (value === null ? 'null' : String(round ? Math.round(value) : value)));
  }
}

/** The response for a stored workout stream, in chunks; null: the workout has none. */
export function workoutStreamChunks(packed: Buffer | null): Chunks {
  const columns: Columns = packed === null ? new Map() : openStream(packed);
  const names = Object.keys(WorkoutStreamBody.properties) as ColumnName[];
  return jsonObject(names.map((name) => [name, jsonArray(textsOf(name, columns.get(name)))] as const));
}
