import { parseInstant } from '../kit/time/time.ts';
import type { JsonNode } from '../kit/values/json-node.ts';

/** In places the text "None" stands for null. */
const isNone = (node: JsonNode): boolean => node.isMissing || node.value === 'None';

/** A number that may be missing, null or "None". */
export function figureOf(node: JsonNode): number | null {
  return isNone(node) ? null : node.amount();
}

/** An instant in ms that may be missing, null or "None". */
export function instantOf(node: JsonNode): number | null {
  return isNone(node) ? null : node.time(parseInstant).ms;
}

export interface Reading {
  readonly ts: number;
  readonly value: number;
}

/** A `[time, value]` of a series; undefined where there is no value. */
export function readReading(node: JsonNode): Reading | undefined {
  const [time, value] = node.items();
  if (time === undefined || value === undefined) throw node.fail('unknown_shape');
  const figure = figureOf(value);
  return figure === null || figure === 0 ? undefined : { ts: time.time(parseInstant).ms, value: figure };
}
