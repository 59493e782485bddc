import { JsonNode } from '../kit/values/json-node.ts';
import type { LoginResponse, PullWindow } from '../kit/types/connector.ts';

const origin = 'https://www.myfitnesspal.com';

/** The days of a shared diary. Its `key` is added to the body; there is no session. */
export function diaryRequest(username: string, { startDate, endDate }: PullWindow) {
  return {
    query: { username },
    // Numbers: the site refuses booleans.
    json: {
      username,
      from: startDate,
      to: endDate,
      show_food_diary: 1,
      show_food_notes: 0,
      show_exercise_diary: 1,
      show_exercise_notes: 0,
    },
    headers: {
      accept: 'application/json',
      origin,
      referer: `${origin}/reports/printable-diary/${encodeURIComponent(username)}?from=${startDate}&to=${endDate}`,
    },
  };
}

const refusalPattern = /\b(?:not correct|incorrect|invalid key)\b/i;

/** True when the site reports that the key is wrong or the user unknown; a page that blocks bots is not JSON. */
export function isDiaryRefusal({ status, body }: Pick<LoginResponse, 'status' | 'body'>): boolean {
  if (body === undefined) return false;
  if (status === 401 || status === 403 || status === 404) return true;
  // A diary contains words of its own, such as names of foods.
  const root = new JsonNode(body);
  const hasEntries = Array.isArray(body) || Array.isArray(root.at('reports').value) || Array.isArray(root.at('items').value);
  return !hasEntries && refusalPattern.test(JSON.stringify(body).slice(0, 2000));
}
