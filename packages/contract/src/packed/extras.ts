import type { Sample } from '../records/records.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';
import { readIntegers, writeIntegers } from './integer-column.ts';

type Extra = NonNullable<Sample['extra']>;

/** Writes the extra fields: each distinct set once as JSON, and which sample has which set. */
export function writeExtras(writer: ByteWriter, samples: readonly Sample[]): void {
  const places = new Map<string, number>();
  const column = samples.map(({ extra }) => {
    if (extra === undefined) return null;
    const text = JSON.stringify(extra);
    const place = places.get(text) ?? places.size;
    places.set(text, place);
    return place;
  });
  writer.text(`[${[...places.keys()].join(',')}]`);
  writeIntegers(writer, column);
}

function isExtra(value: unknown): value is Extra {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads what `writeExtras` wrote. */
export function readExtras(reader: ByteReader, count: number): (Extra | null)[] {
  const distinct = reader.json();
  if (!Array.isArray(distinct) || !distinct.every(isExtra)) throw reader.fail('bad_extras');
  return readIntegers(reader, count).map((place) => {
    if (place === null) return null;
    const extra = distinct[place];
    if (extra === undefined) throw reader.fail('bad_extras');
    return extra;
  });
}
