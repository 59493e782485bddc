import type { JsonNode } from '../kit/values/json-node.ts';
import { sources } from './withings.ts';

type Source = (typeof sources)[keyof typeof sources];

/** Models that only pass on what a phone, a watch or an app of another maker counted. */
const passedOn: Readonly<Record<number, Source>> = {
  1051: sources.phone,
  1052: sources.phone,
  1053: sources.phone,
  1054: sources.phone,
  1055: sources.app,
  1056: sources.app,
  1057: sources.phone,
  1058: sources.watch,
  1059: sources.app,
  1060: sources.phone,
  1062: sources.app,
};

/** By tens, as Withings numbers its models: first and last of a kind. */
const ranges: readonly (readonly [first: number, last: number, source: Source])[] = [
  [1, 20, sources.scale],
  [41, 49, sources.cuff],
  [51, 59, sources.watch],
  [60, 69, sources.mat],
  [70, 79, sources.thermometer],
  [90, 99, sources.watch],
];

/** The kind of source that a model is; null for a number that says nothing. Groups and rows name it `modelid`, `model_id` or `model`. */
export function sourceOfModel(node: JsonNode): Source | null {
  const { value } = node;
  if (typeof value !== 'number') return null;
  return passedOn[value] ?? ranges.find(([first, last]) => value >= first && value <= last)?.[2] ?? null;
}
