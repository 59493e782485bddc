import { JsonNode, readEach } from '../../kit/values/json-node.ts';
import { parseInstant } from '../../kit/time/time.ts';
import type { NightClock } from './clock.ts';

export function readNightClock(night: JsonNode): NightClock {
  return { start: night.at('sleep_start_time').time(parseInstant), end: night.at('sleep_end_time').time(parseInstant) };
}

/** The clocks of the nights in a response of `sleep`; unreadable ones are skipped here and quarantined by their own pull. */
export function readNightClocks(body: unknown): NightClock[] {
  return body === undefined ? [] : readEach('sleep', new JsonNode(body).at('nights'), [], readNightClock);
}
