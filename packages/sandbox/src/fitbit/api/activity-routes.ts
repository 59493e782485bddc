import { datesBetween } from '../../calendar.ts';
import { activityResources, activitySeries, heartDay, heartSeries } from '../data/activity-series.ts';
import { daySummary } from '../data/day-summary.ts';
import { heartBySecond, intradayOf, intradaySeries } from '../data/intraday.ts';
import { workoutLog } from '../data/workout-log.ts';
import { workoutTcx } from '../data/tcx.ts';
import { workoutsOf } from '../data/workouts.ts';
import { FitbitError, invalid } from '../errors.ts';
import { dateIn, rangeIn } from './dates.ts';
import { listDates, pageOf, parseListRequest } from './list-page.ts';
import type { ApiAnswer, ApiCall, ApiRoute } from './types.ts';

const seriesDaysMax = 1095;
const activityCaloriesDaysMax = 30;
const heartDaysMax = 365;
const workoutsPageMax = 100;

function intraday(call: ApiCall): ApiAnswer {
  const { account, application, units } = call;
  const resource = call.path['resource'] ?? '';
  const detail = call.path['detail'] ?? '';
  const series = intradaySeries.find((name) => name === resource);
  if (!series || (detail === '1sec' && series !== 'heart')) throw invalid('This resource has no such detail level');
  needScope(call, series === 'heart' ? 'heartrate' : 'activity');
  if (application.hasIntraday === false)
    throw new FitbitError(403, 'insufficient_permissions', 'Intraday data was not granted to this application');
  const date = dateIn(call);
  const day = account.day(date);
  const dataset = detail === '1sec' ? heartBySecond(day) : intradayOf(account, date, series, Number.parseInt(detail, 10), units);
  const daily = series === 'heart' ? [heartDay(date, day)] : activitySeries(account, series, [date], units);
  return { body: { [`activities-${series}`]: daily, [`activities-${series}-intraday`]: dataset } };
}

function daySeries(call: ApiCall): ApiAnswer {
  const resource = call.path['resource'] ?? '';
  if (resource === 'heart') {
    needScope(call, 'heartrate');
    return { body: { 'activities-heart': heartSeries(call.account, rangeIn(call, heartDaysMax)) } };
  }
  if (!activityResources.includes(resource)) throw invalid('Unknown resource');
  needScope(call, 'activity');
  const dates = rangeIn(call, resource === 'activityCalories' ? activityCaloriesDaysMax : seriesDaysMax);
  return { body: { [`activities-${resource}`]: activitySeries(call.account, resource, dates, call.units) } };
}

function workoutList(call: ApiCall): ApiAnswer {
  const { account, units, parts } = call;
  const localStart = (workout: { startMs: number }) => account.zone.localText(workout.startMs).slice(0, 19);
  const request = parseListRequest(call, workoutsPageMax);
  const workouts = listDates(call, request).flatMap((date) => workoutsOf(account, date));
  const page = pageOf(call, request, workouts, localStart, '/1/user/-/activities/list.json');
  return {
    body: { activities: page.items.map((workout) => workoutLog(account, workout, units, parts.apiUrl())), pagination: page.pagination },
  };
}

function tcx(call: ApiCall): ApiAnswer {
  needScope(call, 'location');
  // The newest are asked for most.
  const dates = datesBetween(call.account.firstDate, call.account.today()).toReversed();
  const isAsked = (candidate: { readonly logId: number }) => String(candidate.logId) === call.path['logId'];
  const found = dates.find((date) => workoutsOf(call.account, date).some(isAsked));
  const workout = found === undefined ? undefined : workoutsOf(call.account, found).find(isAsked);
  if (!workout) throw new FitbitError(404, 'not_found', 'No such activity log');
  return { body: workoutTcx(workout, call.grant.scopes.includes('heartrate')), contentType: 'application/vnd.garmin.tcx+xml' };
}

function needScope(call: ApiCall, scope: string): void {
  if (!call.grant.scopes.includes(scope))
    throw new FitbitError(403, 'insufficient_scope', `This application does not have the scope ${scope}`);
}

export const activityRoutes: readonly ApiRoute[] = [
  {
    kind: 'activities.day',
    method: 'GET',
    version: '1',
    pattern: /^\/activities\/date\/(?<date>[^/]+)\.json$/,
    scope: 'activity',
    respond: (call) => ({ body: daySummary(call.account.day(dateIn(call)), call.units) }),
  },
  { kind: 'activities.list', method: 'GET', version: '1', pattern: /^\/activities\/list\.json$/, scope: 'activity', respond: workoutList },
  { kind: 'activities.tcx', method: 'GET', version: '1', pattern: /^\/activities\/(?<logId>\d+)\.tcx$/, scope: 'activity', respond: tcx },
  {
    kind: 'activities.intraday',
    method: 'GET',
    version: '1',
    pattern: /^\/activities\/(?<resource>\w+)\/date\/(?<date>[^/]+)\/1d\/(?<detail>1sec|1min|5min|15min)\.json$/,
    respond: intraday,
  },
  {
    kind: 'activities.series',
    method: 'GET',
    version: '1',
    pattern: /^\/activities\/(?<resource>\w+)\/date\/(?<start>[^/]+)\/(?<end>[^/]+)\.json$/,
    respond: daySeries,
  },
];
