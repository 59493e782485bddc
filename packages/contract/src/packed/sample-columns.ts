import { AppError } from '@pulsewire/kernel';
import type { Sample } from '../records/records.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';
import { readExtras, writeExtras } from './extras.ts';
import { readIntegers, writeIntegers } from './integer-column.ts';
import { readNumbers, writeNumbers } from './number-column.ts';

type Extra = NonNullable<Sample['extra']>;

/** A batch as columns; null for samples without the field. */
export interface SampleColumns {
  readonly times: readonly number[];
  readonly ends: readonly (number | null)[];
  readonly offsets: readonly (number | null)[];
  readonly values: readonly (number | null)[];
  readonly seconds: readonly (number | null)[] | null;
  readonly extras: readonly (Extra | null)[] | null;
}

const hasSecondValues = 1;
const hasExtras = 2;
// Most series have whole minutes or seconds; in those units a difference takes one byte.
const ticksMs = [60_000, 1000, 1] as const;

function isFinite(value: number | null | undefined): boolean {
  return value === null || value === undefined || Number.isFinite(value);
}

// Zigzag-encoded differences of times in this range are still exact whole numbers. It ends in the year 37,000.
const timeMax = 2 ** 50;

function isTime(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) <= timeMax;
}

function check(samples: readonly Sample[]): void {
  for (const { ts, end, value, value2, timezoneOffset } of samples) {
    const areTimesWhole = isTime(ts) && (end === undefined || isTime(end));
    if (areTimesWhole && isFinite(value) && isFinite(value2) && (timezoneOffset === null || Number.isSafeInteger(timezoneOffset))) continue;
    throw new AppError({
      code: 'bad_sample',
      kind: 'bug',
      message: 'A sample contains a number that is not finite or a time that is not a whole number.',
    });
  }
}

function tickOf(samples: readonly Sample[]): 0 | 1 | 2 {
  let index: 0 | 1 | 2 = 0;
  for (const { ts, end } of samples) {
    while (index < 2 && (ts % ticksMs[index] !== 0 || (end !== undefined && end % ticksMs[index] !== 0))) index = index === 0 ? 1 : 2;
  }
  return index;
}

/** Writes all columns. Throws AppError `bad_sample`. */
export function writeColumns(writer: ByteWriter, samples: readonly Sample[]): void {
  check(samples);
  const tickIndex = tickOf(samples);
  const tick = ticksMs[tickIndex];
  const hasSeconds = samples.some((sample) => sample.value2 !== undefined);
  const hasExtra = samples.some((sample) => sample.extra !== undefined);

  writer.byte(tickIndex);
  let previous = 0;
  writeIntegers(
    writer,
    samples.map(({ ts }) => {
      const step = (ts - previous) / tick;
      previous = ts;
      return step;
    }),
  );
  writeIntegers(
    writer,
    samples.map(({ ts, end }) => (end === undefined ? null : (end - ts) / tick)),
  );
  writeIntegers(
    writer,
    samples.map((sample) => sample.timezoneOffset),
  );
  writeNumbers(
    writer,
    samples.map((sample) => sample.value),
  );
  writer.byte((hasSeconds ? hasSecondValues : 0) | (hasExtra ? hasExtras : 0));
  if (hasSeconds) {
    writeNumbers(
      writer,
      samples.map((sample) => sample.value2 ?? null),
    );
  }
  if (hasExtra) writeExtras(writer, samples);
}

/** Reads the output of `writeColumns`, which must end with the last byte. */
export function readColumns(reader: ByteReader, count: number): SampleColumns {
  const tick = ticksMs[reader.byte()];
  if (tick === undefined) throw reader.fail('bad_tick');
  let time = 0;
  const times = readIntegers(reader, count).map((step) => {
    if (step === null) throw reader.fail('bad_time');
    time += step * tick;
    if (!isTime(time)) throw reader.fail('bad_time');
    return time;
  });
  const ends = readIntegers(reader, count).map((length, index) => {
    if (length === null) return null;
    const end = (times[index] as number) + length * tick;
    if (!isTime(end)) throw reader.fail('bad_time');
    return end;
  });
  const offsets = readIntegers(reader, count);
  const values = readNumbers(reader, count);
  const flags = reader.byte();
  if (flags > (hasSecondValues | hasExtras)) throw reader.fail('bad_flags');
  const seconds = (flags & hasSecondValues) === 0 ? null : readNumbers(reader, count);
  const extras = (flags & hasExtras) === 0 ? null : readExtras(reader, count);
  reader.end();
  return { times, ends, offsets, values, seconds, extras };
}

/** The sample at an index; optional fields are absent, not undefined. */
export function sampleAt({ times, ends, offsets, values, seconds, extras }: SampleColumns, index: number): Sample {
  const end = ends[index] ?? null;
  const value2 = seconds?.[index] ?? null;
  const extra = extras?.[index] ?? null;
  const sample = { ts: times[index] as number, value: values[index] as number | null, timezoneOffset: offsets[index] as number | null };
  if (end === null && value2 === null && extra === null) return sample;
  if (value2 === null && extra === null && end !== null) return { ...sample, end };
  return { ...sample, ...(end === null ? {} : { end }), ...(value2 === null ? {} : { value2 }), ...(extra === null ? {} : { extra }) };
}
