import type { JsonNode } from '../kit/json-node.ts';
import { parseInstant } from '../kit/time.ts';

const duringPattern = /^\['?([^',]+)'?,\s*'?([^',)]*)'?\)$/;
const offsetPattern = /^[+-]\d{2}:?\d{2}$/;

export interface Span {
  readonly startMs: number;
  /** null: not over yet. */
  readonly endMs: number | null;
}

/** A range as a database writes it: `['2026-03-11T04:00:00.000Z','2026-03-12T04:00:00.000Z')`, its end empty while it lasts. */
export function parseDuring(text: string): Span | undefined {
  const match = duringPattern.exec(text);
  const start = parseInstant(match?.[1] ?? '');
  const endText = match?.[2] ?? '';
  const end = endText === '' ? null : parseInstant(endText);
  if (start === undefined || end === undefined || (end !== null && end.ms < start.ms)) return undefined;
  return { startMs: start.ms, endMs: end?.ms ?? null };
}

/** `-05:00` in seconds; null where nothing is told. */
export function readOffset(node: JsonNode): number | null {
  const { value } = node;
  const isOffset = typeof value === 'string' && offsetPattern.test(value);
  return isOffset ? (parseInstant(`2000-01-01T00:00:00${value}`)?.offset ?? null) : null;
}
