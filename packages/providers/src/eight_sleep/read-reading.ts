import { parseInstant } from '../kit/time/time.ts';
import type { JsonNode } from '../kit/values/json-node.ts';

/** A number that may be missing, null or "None", which stands for null in places. */
export function figureOf(node: JsonNode): number | null {
  return node.optional((inner) => inner.amount());
}

/** An instant in ms that may be missing, null or "None". */
export function instantOf(node: JsonNode): number | null {
  return node.optional((inner) => inner.time(parseInstant).ms);
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
