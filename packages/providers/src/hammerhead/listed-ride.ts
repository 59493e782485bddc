import { parseInstant } from '../kit/time/time.ts';
import type { JsonNode } from '../kit/values/json-node.ts';

/** A ride as it is listed. */
export interface ListedRide {
  readonly id: string;
  readonly node: JsonNode;
  readonly startMs: number;
  readonly endMs: number;
}

export function readListed(item: JsonNode): ListedRide {
  const id = item.at('id').text();
  const duration = item.at('duration');
  // Some clients read the start from the creation of the ride, which the computer creates when it begins.
  const start = duration.at('startTime');
  const startMs = (start.isBlank ? item.at('createdAt') : start).time(parseInstant).ms;
  const end = duration.at('endTime').optional((node) => node.time(parseInstant).ms);
  const endMs = end ?? startMs + duration.at('elapsedTime').amount();
  if (endMs < startMs) throw duration.at('endTime').fail('bad_time');
  return { id, node: item, startMs, endMs };
}
