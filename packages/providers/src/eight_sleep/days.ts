import { JsonNode } from '../kit/values/json-node.ts';

/** The list of days; one client has also seen it one level deeper. */
export function daysIn(body: unknown): JsonNode {
  const root = new JsonNode(body);
  return root.at('days').isMissing ? root.at('result').at('days') : root.at('days');
}

/** True when a response with sessions has left out the scores of a day. */
export function lacksScores(body: unknown): boolean {
  const days = daysIn(body).value;
  if (!Array.isArray(days)) return false;
  return daysIn(body)
    .items()
    .some((day) => hasSessions(day) && day.at('score').isMissing && day.at('sleepQualityScore').isMissing);
}

export const hasSessions = (day: JsonNode): boolean => Array.isArray(day.at('sessions').value) && day.at('sessions').items().length > 0;

/** The days of a response with scores, by day. */
export function scoresByDay(body: unknown): ReadonlyMap<unknown, JsonNode> {
  const days = daysIn(body);
  return new Map(Array.isArray(days.value) ? days.items().map((day) => [day.at('day').value, day] as const) : []);
}

/** The ids of a day's sessions, which it names whether or not it contains them. */
export function idsOf(day: JsonNode): readonly JsonNode[] {
  const ids = day.at('sessionIds');
  return Array.isArray(ids.value) ? ids.items() : [day.at('mainSessionId')];
}
