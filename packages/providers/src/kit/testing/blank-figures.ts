import { isDeepStrictEqual } from 'node:util';
import type { CanonicalRecord } from '@pulsewire/contract';
import type { MappedRecords } from '../types/connector.ts';

/** What providers send for a figure that was not measured, beside null. */
const blanks = ['', 'None'];
/** Larger fixtures repeat their shapes. */
const figuresMax = 250;

type Path = readonly (string | number)[];

/** Ids and codes of units, devices and stages are no figures; the hypnogram's keys are clocks. */
const codePattern = /id$|unit$|model$|^\d\d:\d\d$|^notes$/i;

/** The places of all figures. */
function figuresIn(body: unknown, at: Path = []): Path[] {
  if (typeof body === 'number') return [at];
  if (Array.isArray(body)) return body.flatMap((item: unknown, index) => figuresIn(item, [...at, index]));
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) => (codePattern.test(key) ? [] : figuresIn(value, [...at, key])));
}

function withValue(body: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(body)) return body.map((item: unknown, index) => (index === key ? withValue(item, rest, value) : item));
  const record = body as Readonly<Record<string, unknown>>;
  return { ...record, [key]: withValue(record[key], rest, value) };
}

const withoutRaw = (record: CanonicalRecord): object => ({ ...record, raw: undefined });

/** The figures of a response that yield other records when they are blank than when they are null. */
export function misreadBlanks(map: (body: unknown) => MappedRecords, body: unknown): string[] {
  return figuresIn(body)
    .slice(0, figuresMax)
    .flatMap((path) => {
      const read = (value: unknown) => map(withValue(body, path, value)).records.map(withoutRaw);
      const expected = read(null);
      return blanks.flatMap((blank) => (isDeepStrictEqual(read(blank), expected) ? [] : [`/${path.join('/')} = ${JSON.stringify(blank)}`]));
    });
}
