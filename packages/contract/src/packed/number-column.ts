import type { ByteReader, ByteWriter } from './bytes.ts';
import { readIntegers, writeIntegers } from './integer-column.ts';

const raw = 255;
const decimalsMax = 4;
const powers = [1, 10, 100, 1000, 10_000] as const;
// Above this a scaled value could lose digits, and eight raw bytes are as short.
const scaledMax = 2 ** 40;

/** The number of decimals that represents every value exactly, or undefined when that takes more than four. */
function sharedDecimals(values: readonly (number | null)[]): number | undefined {
  let decimals = 0;
  for (const value of values) {
    if (value === null) continue;
    for (;;) {
      const power = powers[decimals] as number;
      const scaled = Math.round(value * power);
      if (scaled / power === value && Math.abs(scaled) < scaledMax) break;
      if (++decimals > decimalsMax) return undefined;
    }
  }
  return decimals;
}

/** Writes finite numbers or nulls: as scaled whole numbers if few decimals represent them, else as doubles. */
export function writeNumbers(writer: ByteWriter, values: readonly (number | null)[]): void {
  const decimals = sharedDecimals(values);
  if (decimals === undefined) {
    writer.byte(raw);
    for (const value of values) writer.double(value ?? Number.NaN);
    return;
  }
  writer.byte(decimals);
  const power = powers[decimals] as number;
  writeIntegers(
    writer,
    values.map((value) => (value === null ? null : Math.round(value * power))),
  );
}

/** Reads `count` values that `writeNumbers` wrote. */
export function readNumbers(reader: ByteReader, count: number): (number | null)[] {
  const decimals = reader.byte();
  if (decimals === raw) {
    return Array.from({ length: count }, () => {
      const value = reader.double();
      return Number.isNaN(value) ? null : value;
    });
  }
  const power = powers[decimals];
  if (power === undefined) throw reader.fail('bad_column');
  const values = readIntegers(reader, count);
  return power === 1 ? values : values.map((value) => (value === null ? null : value / power));
}
