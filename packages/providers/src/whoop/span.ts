import { addDays, dayToMs } from '../kit/time/days.ts';
import type { JsonNode } from '../kit/values/json-node.ts';
import { parseInstant } from '../kit/time/time.ts';

/** A range is some sixty characters long. The pattern backtracks over blanks, so longer texts are rejected. */
const lengthMax = 120;
const duringPattern = /^\['?([^',]+)'?,\s*'?([^',)]*)'?\)$/;
const offsetPattern = /^[+-]\d{2}:?\d{2}$/;

export interface Span {
  readonly startMs: number;
  /** null: still running. */
  readonly endMs: number | null;
}

/** The database notation omits the minutes of an offset in whole hours: `+00`. */
const isoOf = (text = ''): string => text.trim().replace(/(:\d{2}(?:\.\d+)?[+-]\d{2})$/, '$1:00');

const daysPattern = /^\['?(\d{4}-\d{2}-\d{2})'?,\s*'?(\d{4}-\d{2}-\d{2})'?\)$/;

/** The last day of a range of days, whose end is exclusive: `['2026-02-15','2026-02-16')` is 15 February. */
export function parseLastDay(text: string): string | undefined {
  const [, first = '', end = ''] = daysPattern.exec(text) ?? [];
  if (dayToMs(first) === undefined || dayToMs(end) === undefined || end <= first) return undefined;
  return addDays(end, -1);
}

/** A range in database notation: `['2026-03-11T04:00:00.000Z','2026-03-12T04:00:00.000Z')`, without an end while it is running. */
export function parseDuring(text: string): Span | undefined {
  const match = text.length > lengthMax ? null : duringPattern.exec(text);
  const start = parseInstant(isoOf(match?.[1]));
  const endText = match?.[2] ?? '';
  const end = endText === '' ? null : parseInstant(isoOf(endText));
  if (start === undefined || end === undefined || (end !== null && end.ms < start.ms)) return undefined;
  return { startMs: start.ms, endMs: end?.ms ?? null };
}

/** `-05:00` in seconds; null where it is missing. */
export function readOffset(node: JsonNode): number | null {
  const { value } = node;
  const isOffset = typeof value === 'string' && offsetPattern.test(value);
  return isOffset ? (parseInstant(`2000-01-01T00:00:00${value}`)?.offset ?? null) : null;
}
