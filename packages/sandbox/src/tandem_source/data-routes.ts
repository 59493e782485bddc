import type { ApiResponse, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import { invalid, RefusalError } from '../kit/parts/refusal.ts';
import { addDays, dayNumber } from '../model/calendar.ts';
import { clockChangesOf, eventsOf } from './events.ts';
import { livesHere, pageOrigins, regionOf } from './hosts.ts';
import { pumpsOf, shownPump, unusedPumps } from './pumps.ts';

const windowDaysMax = 28;
const parameters = ['pumperId', 'startDate', 'endDate', 'eventCodes'];

/** The firewall accepts only requests of its own web page. */
function blocked(call: UserCall): ApiResponse | null {
  const { origin, referer } = call.headers;
  const page = pageOrigins[regionOf(call)];
  if (origin === page && referer === `${page}/`) return null;
  return { status: 403, text: '<html><body>The request is blocked</body></html>', contentType: 'text/html' };
}

function assertOwn(call: UserCall, pumperId: string | null | undefined): void {
  if (pumperId !== call.account.providerUserId || !livesHere(call, call.account)) throw new RefusalError('forbidden', 'Forbidden');
}

function pumper(call: UserCall): ApiResponse {
  const block = blocked(call);
  if (block) return block;
  assertOwn(call, call.params['id']);
  const { account } = call;
  const [firstName = '', lastName = ''] = account.name.split(' ');
  const pumps = [...pumpsOf(account).map((pump) => shownPump(account, pump)), ...unusedPumps(account)];
  return {
    body: {
      firstName,
      lastName,
      name: account.name,
      dateOfBirth: account.person.birthDate,
      lowGlucoseThreshold: 70,
      highGlucoseThreshold: 180,
      country: account.region === 'eu' ? 'DE' : 'US',
      pumps,
    },
  };
}

function badParameter(name: string): ApiResponse {
  return { status: 400, body: { name: 'ZodError', issues: [{ code: 'unrecognized_keys', keys: [name], path: [] }] } };
}

const datePart = (text: string | null, end: string): string => {
  if (text === null || !/^\d{4}-\d{2}-\d{2}T/.test(text) || !text.endsWith(end)) throw invalid('startDate or endDate is wrong');
  return text.slice(0, 10);
};

/** The filter by codes is ignored, and the first events after the window are in it as well. */
function pumpLogs(call: UserCall): ApiResponse {
  const block = blocked(call);
  if (block) return block;
  const { account, params, query } = call;
  const unknown = [...query.keys()].find((name) => !parameters.includes(name));
  if (unknown !== undefined) return badParameter(unknown);
  assertOwn(call, query.get('pumperId'));
  const [first, last] = [datePart(query.get('startDate'), 'T00:00:00Z'), datePart(query.get('endDate'), 'T23:59:59Z')];
  if (dayNumber(last) - dayNumber(first) >= windowDaysMax) throw invalid('The range is too long');
  const pump = pumpsOf(account).find(({ assignmentId }) => assignmentId === params['id']);
  if (!pump) return { body: { events: [], clockChanges: [] } };
  const overlap = eventsOf(account, pump, addDays(last, 1), addDays(last, 1)).slice(0, 12);
  return { body: { events: [...eventsOf(account, pump, first, last), ...overlap], clockChanges: clockChangesOf(account, pump) } };
}

const get = { method: 'GET', auth: 'user' } as const;

export const dataRoutes: readonly ApiRoute[] = [
  { ...get, kind: 'pumper', path: '/api/reports/bff/pumper/:id', respond: pumper },
  { ...get, kind: 'pump-logs', path: '/api/reports/bff/pump-logs/:id', respond: pumpLogs },
];
