import { AppError } from '@pulsewire/kernel';
import type { ByteReader, ByteWriter } from './bytes.ts';

const inRuns = 1;
const signed = 2;

/** Encodes a whole number or null as a number from 0: 0 is null; if there are negative numbers, they are interleaved (zigzag). */
function toCode(value: number | null, isSigned: boolean): number {
  if (value === null) return 0;
  const code = isSigned ? (value < 0 ? -2 * value : 2 * value + 1) : value + 1;
  if (!Number.isSafeInteger(code)) {
    throw new AppError({ code: 'bad_sample', kind: 'bug', message: 'A sample contains a time or offset that is not a whole number.' });
  }
  return code;
}

function fromCode(code: number, isSigned: boolean): number | null {
  if (code === 0) return null;
  if (!isSigned) return code - 1;
  return code % 2 === 0 ? -(code / 2) : (code - 1) / 2;
}

/** Writes whole numbers or nulls; a constant step, end or offset costs a few bytes, whatever their number. */
export function writeIntegers(writer: ByteWriter, values: readonly (number | null)[]): void {
  let isSigned = false;
  let runs = 0;
  let previous: number | null | undefined;
  for (const value of values) {
    if (value !== null && value < 0) isSigned = true;
    if (value !== previous) runs++;
    previous = value;
  }
  const asRuns = runs * 2 <= values.length;
  writer.byte((asRuns ? inRuns : 0) | (isSigned ? signed : 0));
  if (!asRuns) {
    for (const value of values) writer.varint(toCode(value, isSigned));
    return;
  }
  for (let start = 0; start < values.length;) {
    const value = values[start] as number | null;
    let end = start + 1;
    while (end < values.length && values[end] === value) end++;
    writer.varint(toCode(value, isSigned));
    writer.varint(end - start);
    start = end;
  }
}

/** Reads `count` values that `writeIntegers` wrote. */
export function readIntegers(reader: ByteReader, count: number): (number | null)[] {
  const mode = reader.byte();
  if (mode > (inRuns | signed)) throw reader.fail('bad_column');
  const isSigned = (mode & signed) !== 0;
  const values: (number | null)[] = [];
  if ((mode & inRuns) === 0) {
    for (let index = 0; index < count; index++) values.push(fromCode(reader.varint(), isSigned));
    return values;
  }
  while (values.length < count) {
    const value = fromCode(reader.varint(), isSigned);
    const length = reader.varint();
    if (length === 0 || length > count - values.length) throw reader.fail('bad_run');
    for (let index = 0; index < length; index++) values.push(value);
  }
  return values;
}

/** Yields the values of `writeIntegers` one by one, so that a long column is never in memory as a whole. */
export function openIntegers(reader: ByteReader): () => number | null {
  const mode = reader.byte();
  if (mode > (inRuns | signed)) throw reader.fail('bad_column');
  const isSigned = (mode & signed) !== 0;
  if ((mode & inRuns) === 0) return () => fromCode(reader.varint(), isSigned);
  let value: number | null = null;
  let left = 0;
  return () => {
    if (left === 0) {
      value = fromCode(reader.varint(), isSigned);
      left = reader.varint();
      if (left === 0) throw reader.fail('bad_run');
    }
    left -= 1;
    return value;
  };
}
