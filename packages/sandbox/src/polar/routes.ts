import { addDays, dayNumber, isDate } from '../model/calendar.ts';
import type { ApiResponse, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import type { Person } from '../kit/person/person.ts';
import type { PersonDay } from '../kit/person/types.ts';
import { invalid, RefusalError } from '../kit/parts/refusal.ts';
import {
  activityOf,
  bodyTemperatureOf,
  ecgOf,
  exerciseId,
  exerciseOf,
  heartOf,
  nightOf,
  physicalOf,
  rechargeOf,
  skinTemperatureOf,
  spo2Of,
} from './documents.ts';
import { assertRegistered } from './users.ts';

const rangeDaysMax = 28;
const keptDays = 28;
const exerciseDays = 30;
const activityDays = 365;

/** `from` and `to`, both included, at most four weeks and nothing older than a year. */
function rangeOf({ query, account: { person } }: UserCall): readonly PersonDay[] {
  const { from = '', to = '' } = Object.fromEntries(query);
  if (!isDate(from) || !isDate(to) || to < from) throw invalid('Invalid dates');
  if (dayNumber(to) - dayNumber(from) >= rangeDaysMax) throw invalid(`At most ${rangeDaysMax} days`);
  if (from < addDays(person.today(), -activityDays)) throw invalid(`At most ${activityDays} days ago`);
  return person.days(from, to);
}

const lastDays = (person: Person, count: number) => person.days(addDays(person.today(), -count), person.today());
const orNothing = (body: object | undefined): ApiResponse => (body === undefined ? { status: 204 } : { body });
const ofRange =
  (render: (person: Person, day: PersonDay) => object[]) =>
  (call: UserCall): ApiResponse => {
    const found = rangeOf(call).flatMap((day) => render(call.account.person, day));
    return found.length === 0 ? { status: 204 } : { body: found };
  };
const ofNights =
  (key: string, render: typeof nightOf) =>
  ({ account: { person } }: UserCall): ApiResponse => {
    const found = lastDays(person, keptDays).flatMap(({ date, sleeps }) => sleeps.map((sleep) => render(person, date, sleep)));
    return found.length === 0 ? { status: 204 } : { body: { [key]: found } };
  };

const isRequested = ({ query }: UserCall, name: string): boolean => query.get(name) === 'true';

function exercises(call: UserCall): ApiResponse {
  const { person } = call.account;
  const more = { samples: isRequested(call, 'samples'), route: isRequested(call, 'route') };
  return { body: lastDays(person, exerciseDays).flatMap(({ workouts }) => workouts.map((workout) => exerciseOf(person, workout, more))) };
}

function exercise(call: UserCall): ApiResponse {
  const { person } = call.account;
  const found = lastDays(person, exerciseDays).flatMap(({ workouts }) => workouts);
  const workout = found.find((one) => exerciseId(one) === call.params['id']);
  if (!workout) throw new RefusalError('not_found', 'No such exercise');
  return { body: exerciseOf(person, workout, { samples: isRequested(call, 'samples'), route: isRequested(call, 'route') }) };
}

function heart({ account: { person }, params }: UserCall): ApiResponse {
  const day = isDate(params['date'] ?? '') ? person.day(params['date'] ?? '') : undefined;
  return orNothing(day && heartOf(person, day));
}

function heartOfRange(call: UserCall): ApiResponse {
  const found = rangeOf(call).flatMap((day) => heartOf(call.account.person, day) ?? []);
  return orNothing(found.length === 0 ? undefined : { heart_rates: found });
}

function route(kind: string, path: string, respond: (call: UserCall) => ApiResponse): ApiRoute {
  return {
    kind,
    method: 'GET',
    path,
    auth: 'user',
    respond(call) {
      assertRegistered(call);
      return respond(call);
    },
  };
}

/** The data of one user; 403 until the user is registered, 204 when there is no data. */
export const dataRoutes: readonly ApiRoute[] = [
  route('physical-info', '/users/physical-info', ({ account }) => ({ body: physicalOf(account.person) })),
  route(
    'activities',
    '/users/activities',
    ofRange((person, day) => [activityOf(person, day)]),
  ),
  route('sleep', '/users/sleep', ofNights('nights', nightOf)),
  route('nightly-recharge', '/users/nightly-recharge', ofNights('recharges', rechargeOf)),
  route('continuous-heart-rate', '/users/continuous-heart-rate', heartOfRange),
  route('continuous-heart-rate.day', '/users/continuous-heart-rate/:date', heart),
  route('exercises', '/exercises', exercises),
  route('exercises.one', '/exercises/:id', exercise),
  route('ecg', '/users/biosensing/ecg', ofRange(ecgOf)),
  route('spo2', '/users/biosensing/spo2', ofRange(spo2Of)),
  route('skintemperature', '/users/biosensing/skintemperature', ofRange(skinTemperatureOf)),
  route('bodytemperature', '/users/biosensing/bodytemperature', ofRange(bodyTemperatureOf)),
];
