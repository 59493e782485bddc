import { datesBetween } from '../../model/calendar.ts';
import { activityResources, activitySeries, heartDay, heartSeries } from '../data/activity-series.ts';
import { daySummary } from '../data/day-summary.ts';
import { heartBySecond, intradayOf, intradaySeries } from '../data/intraday.ts';
import { workoutLog } from '../data/workout-log.ts';
import { workoutTcx } from '../data/tcx.ts';
import { workoutsOf } from '../data/workouts.ts';
import { invalid, RefusalError } from '../../kit/parts/refusal.ts';
import { dateIn, rangeIn } from './dates.ts';
import { listDates, pageOf, parseListRequest } from './list-page.ts';
import type { ApiResponse } from '../../kit/definition/definition.ts';
import { needIntraday, needScope, type FitbitCall, type FitbitRoute } from './types.ts';

const seriesDaysMax = 1095;
const activityCaloriesDaysMax = 30;
const heartDaysMax = 365;
const workoutsPageMax = 100;
const details: readonly string[] = ['1sec', '1min', '5min', '15min'];

function intraday(call: FitbitCall): ApiResponse {
  const { account, units } = call;
  const resource = call.params['resource'] ?? '';
  const detail = call.params['detail'] ?? '';
  if (!details.includes(detail)) throw new RefusalError('not_found', 'No such resource');
  const series = intradaySeries.find((name) => name === resource);
  if (!series || (detail === '1sec' && series !== 'heart')) throw invalid('This resource has no such detail level');
  needScope(call, series === 'heart' ? 'heartrate' : 'activity');
  needIntraday(call);
  const date = dateIn(call);
  const day = account.day(date);
  const dataset = detail === '1sec' ? heartBySecond(day) : intradayOf(account, date, series, Number.parseInt(detail, 10), units);
  const daily = series === 'heart' ? [heartDay(date, day)] : activitySeries(account, series, [date], units);
  return { body: { [`activities-${series}`]: daily, [`activities-${series}-intraday`]: dataset } };
}

function daySeries(call: FitbitCall): ApiResponse {
  const resource = call.params['resource'] ?? '';
  if (resource === 'heart') {
    needScope(call, 'heartrate');
    return { body: { 'activities-heart': heartSeries(call.account, rangeIn(call, heartDaysMax)) } };
  }
  if (!activityResources.includes(resource)) throw invalid('Unknown resource');
  needScope(call, 'activity');
  const dates = rangeIn(call, resource === 'activityCalories' ? activityCaloriesDaysMax : seriesDaysMax);
  return { body: { [`activities-${resource}`]: activitySeries(call.account, resource, dates, call.units) } };
}

function workoutList(call: FitbitCall): ApiResponse {
  const { account, units, parts } = call;
  const localStart = (workout: { startMs: number }) => account.zone.localText(workout.startMs).slice(0, 19);
  const request = parseListRequest(call, workoutsPageMax);
  const workouts = listDates(call, request).flatMap((date) => workoutsOf(account, date));
  const page = pageOf(call, request, workouts, localStart, '/1/user/-/activities/list.json');
  return {
    body: { activities: page.items.map((workout) => workoutLog(account, workout, units, parts.url())), pagination: page.pagination },
  };
}

function tcx(call: FitbitCall): ApiResponse {
  needScope(call, 'location');
  // The newest are requested most often.
  const dates = datesBetween(call.account.firstDate, call.account.today()).toReversed();
  const isRequested = (candidate: { readonly logId: number }) => String(candidate.logId) === call.params['logId'];
  const found = dates.find((date) => workoutsOf(call.account, date).some(isRequested));
  const workout = found === undefined ? undefined : workoutsOf(call.account, found).find(isRequested);
  if (!workout) throw new RefusalError('not_found', 'No such activity log');
  return { text: workoutTcx(workout, call.grant.scopes.includes('heartrate')), contentType: 'application/vnd.garmin.tcx+xml' };
}

export const activityRoutes: readonly FitbitRoute[] = [
  {
    kind: 'activities.day',
    method: 'GET',
    version: '1',
    path: '/activities/date/:date.json',
    scope: 'activity',
    respond: (call) => ({ body: daySummary(call.account.day(dateIn(call)), call.units) }),
  },
  { kind: 'activities.list', method: 'GET', version: '1', path: '/activities/list.json', scope: 'activity', respond: workoutList },
  { kind: 'activities.tcx', method: 'GET', version: '1', path: '/activities/:logId.tcx', scope: 'activity', respond: tcx },
  {
    kind: 'activities.intraday',
    method: 'GET',
    version: '1',
    path: '/activities/:resource/date/:date/1d/:detail.json',
    respond: intraday,
  },
  {
    kind: 'activities.series',
    method: 'GET',
    version: '1',
    path: '/activities/:resource/date/:start/:end.json',
    respond: daySeries,
  },
];
