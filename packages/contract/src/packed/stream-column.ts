import type { ByteReader, ByteWriter } from './bytes.ts';
import { openIntegers, writeIntegers } from './integer-column.ts';

// Encoding of a column. 0 to 8: whole numbers scaled by that many decimals.
const decimalsMax = 8;
const semicircles = 100;
const floats = 101;
const doubles = 102;

// Zigzag-encoded differences of two scaled values stay below 2^53.
const scaledMax = 2 ** 50;

interface Scale {
  readonly mode: number;
  scale(value: number): number;
  unscale(scaled: number): number;
}

const decimals = Array.from({ length: decimalsMax + 1 }, (_, mode): Scale => {
  const power = 10 ** mode;
  return { mode, scale: (value) => Math.round(value * power), unscale: (scaled) => scaled / power };
});

/** Devices store positions as 32-bit fractions of half a circle; in degrees those have up to seventeen digits. */
const parts: Scale = {
  mode: semicircles,
  scale: (value) => Math.round((value * 2 ** 31) / 180),
  unscale: (scaled) => (scaled * 180) / 2 ** 31,
};

const scales = [...decimals, parts];

function isExact({ scale, unscale }: Scale, value: number): boolean {
  const scaled = scale(value);
  return Math.abs(scaled) < scaledMax && unscale(scaled) === value;
}

/** The smallest scale that represents every value exactly. */
function sharedScale(values: readonly (number | null)[]): Scale | undefined {
  const isCarriedBy = (scale: Scale) => values.every((value) => value === null || isExact(scale, value));
  return scales.find(isCarriedBy);
}

/**
 * Writes numbers or nulls in order: if few decimals represent every value, as the differences between successive values, which are small
 * in sensor data; else as floats or doubles. Everything except a finite number becomes null.
 */
export function writeStreamColumn(writer: ByteWriter, received: readonly (number | null)[]): void {
  // -0 becomes 0, as in JSON.
  const values = received.map((value) => (Number.isFinite(value) ? (value as number) + 0 : null));
  const scale = sharedScale(values);
  if (scale === undefined) {
    const isFloat = values.every((value) => value === null || Math.fround(value) === value);
    writer.byte(isFloat ? floats : doubles);
    for (const value of values) {
      if (isFloat) writer.float(value ?? Number.NaN);
      else writer.double(value ?? Number.NaN);
    }
    return;
  }
  writer.byte(scale.mode);
  let previous = 0;
  const steps = values.map((value) => {
    if (value === null) return null;
    const scaled = scale.scale(value);
    const step = scaled - previous;
    previous = scaled;
    return step;
  });
  writeIntegers(writer, steps);
}

/** Yields the values of `writeStreamColumn` one by one. */
export function openStreamColumn(reader: ByteReader): () => number | null {
  const mode = reader.byte();
  if (mode === floats || mode === doubles) {
    return () => {
      const value = mode === floats ? reader.float() : reader.double();
      return Number.isNaN(value) ? null : value;
    };
  }
  const scale = scales.find((known) => known.mode === mode);
  if (scale === undefined) throw reader.fail('bad_column');
  const nextStep = openIntegers(reader);
  let scaled = 0;
  return () => {
    const step = nextStep();
    if (step === null) return null;
    scaled += step;
    return scale.unscale(scaled);
  };
}
