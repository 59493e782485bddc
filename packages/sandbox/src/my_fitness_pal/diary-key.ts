import type { SimAccount } from '../kit/accounts/accounts.ts';
import { hasChangedPassword, recordLogin } from '../kit/definition/changed-password.ts';
import type { ApiCall, ApiResponse, ApiRoute, SimulatorParts } from '../kit/definition/definition.ts';
import { addDays, dayNumber, isDate } from '../model/calendar.ts';
import { foodsOf } from './foods.ts';
import { reportOf } from './report.ts';

const daysMax = 365;
const web = 'diary-key';

/** The page of the protection in front of the site. */
export function challenge(status: number): ApiResponse {
  const text = '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body><div id="cf-challenge"></div></body></html>';
  return { status, text, contentType: 'text/html; charset=UTF-8' };
}

function fieldOf({ json }: ApiCall, name: string): unknown {
  return typeof json === 'object' && json !== null ? (json as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** How a wrong key is reported was never published: as one of the ways that clients expect, in turn. */
function wrongKey({ memory }: SimulatorParts): ApiResponse {
  const count = Number(memory.get('wrong keys') ?? 0);
  memory.set('wrong keys', count + 1);
  const responses: readonly ApiResponse[] = [
    { status: 401, body: { error: 'unauthorized', error_description: 'Wrong diary key' } },
    { status: 403, body: { error: 'forbidden' } },
    { status: 200, body: { message: 'The key you entered is not correct.' } },
  ];
  return responses[count % responses.length] ?? challenge(403);
}

/** Clients that do not look like the site's own page get the challenge; so does everyone's first request for more than a day. */
function isChallenged(call: ApiCall, account: SimAccount): boolean {
  const { headers, parts } = call;
  const looksOwn =
    String(headers['accept'] ?? '').includes('json') &&
    headers['origin'] !== undefined &&
    String(headers['referer'] ?? '').includes('/reports/printable-diary/');
  if (!looksOwn) return true;
  const key = `challenged ${account.name}`;
  if (account.hasNoObstacles || fieldOf(call, 'from') === fieldOf(call, 'to') || parts.memory.has(key)) return false;
  parts.memory.set(key, true);
  return true;
}

function refusedInput(call: ApiCall, username: string): string | null {
  const [from, to] = [fieldOf(call, 'from'), fieldOf(call, 'to')];
  if (typeof from !== 'string' || typeof to !== 'string' || !isDate(from) || !isDate(to)) return 'from and to must be dates';
  if (to < from || dayNumber(to) - dayNumber(from) >= daysMax) return 'The range is too long';
  const switches = ['show_food_diary', 'show_food_notes', 'show_exercise_diary', 'show_exercise_notes'];
  if (switches.some((name) => ![0, 1].includes(fieldOf(call, name) as number))) return 'The switches must be 0 or 1';
  return fieldOf(call, 'username') === username ? null : 'The user names differ';
}

/** Diaries of some people come in a wrapper, and of some without their empty days. */
function report(call: ApiCall): ApiResponse {
  const { parts, query } = call;
  const username = query.get('username') ?? '';
  const account = parts.accounts.byUsername(username);
  if (!account) return { status: 404, body: { error: 'not-found', error_description: 'No such user' } };
  if (isChallenged(call, account)) return challenge(403);
  if (fieldOf(call, 'key') !== account.password || hasChangedPassword(parts, account)) return wrongKey(parts);
  const refused = refusedInput(call, username);
  if (refused !== null) return { status: 400, body: { error: 'failed-validation', error_description: refused } };
  const { person, providerUserId } = account;
  if (parts.grants.of(providerUserId).length === 0) parts.grants.grant({ clientId: web, providerUserId, scopes: [] });
  recordLogin(parts, account);
  parts.save();
  const from = String(fieldOf(call, 'from'));
  const shows = { food: fieldOf(call, 'show_food_diary') === 1, exercise: fieldOf(call, 'show_exercise_diary') === 1 };
  const isTidy = person.sex === 'female';
  const days = person
    .days(from, addDays(String(fieldOf(call, 'to')), 0))
    .filter((day) => isTidy || foodsOf(person, day).length > 0 || (shows.exercise && day.workouts.length > 0))
    .map((day) => reportOf(person, day, shows));
  return { body: isTidy ? days : { reports: days } };
}

export const diaryKeyRoute: ApiRoute = {
  kind: 'report',
  method: 'POST',
  path: '/api/services/authenticate_diary_key',
  auth: 'open',
  hasFaults: true,
  respond: report,
};
