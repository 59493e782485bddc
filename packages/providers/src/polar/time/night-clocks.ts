import { JsonNode, readEach } from '../../kit/values/json-node.ts';
import { parseInstant } from '../../kit/time/time.ts';
import type { NightClock } from './clock.ts';

export function readNightClock(night: JsonNode): NightClock {
  return { start: night.at('sleep_start_time').time(parseInstant), end: night.at('sleep_end_time').time(parseInstant) };
}

/** The clocks of the nights in an answer of `sleep`; unreadable ones are left out, their own pull sets them aside. */
export function readNightClocks(body: unknown): NightClock[] {
  return body === undefined ? [] : readEach('sleep', new JsonNode(body).at('nights'), [], readNightClock);
}
