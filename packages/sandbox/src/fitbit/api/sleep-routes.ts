import { datesBetween } from '../../model/calendar.ts';
import { sleepsOf, type SleepLog } from '../data/sleep/sleep.ts';
import { dateIn, rangeIn } from './dates.ts';
import { pageOf, parseListRequest } from './list-page.ts';
import type { ApiResponse } from '../../kit/definition/definition.ts';
import type { FitbitCall, FitbitRoute } from './types.ts';

const rangeDaysMax = 100;
const listPageMax = 100;

function day(call: FitbitCall): ApiResponse {
  const sleep = newestFirst(sleepsOf(call.account, dateIn(call)));
  const total = (key: 'minutesAsleep' | 'timeInBed') => sleep.reduce((sum, log) => sum + log[key], 0);
  return {
    body: {
      sleep,
      summary: { totalMinutesAsleep: total('minutesAsleep'), totalSleepRecords: sleep.length, totalTimeInBed: total('timeInBed') },
    },
  };
}

function range(call: FitbitCall): ApiResponse {
  return { body: { sleep: newestFirst(rangeIn(call, rangeDaysMax).flatMap((date) => sleepsOf(call.account, date))) } };
}

function list(call: FitbitCall): ApiResponse {
  const request = parseListRequest(call, listPageMax);
  const all = datesBetween(call.account.firstDate, call.account.today()).flatMap((date) => sleepsOf(call.account, date));
  const page = pageOf(call, request, all.toSorted(byStart), (log) => log.startTime.slice(0, 19), '/1.2/user/-/sleep/list.json');
  return { body: { sleep: page.items, pagination: page.pagination } };
}

function byStart(a: SleepLog, b: SleepLog): number {
  return a.startTime < b.startTime ? -1 : 1;
}

function newestFirst(logs: readonly SleepLog[]): SleepLog[] {
  return logs.toSorted((a, b) => byStart(b, a));
}

export const sleepRoutes: readonly FitbitRoute[] = [
  { kind: 'sleep.list', method: 'GET', version: '1.2', path: '/sleep/list.json', scope: 'sleep', respond: list },
  { kind: 'sleep.day', method: 'GET', version: '1.2', path: '/sleep/date/:date.json', scope: 'sleep', respond: day },
  {
    kind: 'sleep.range',
    method: 'GET',
    version: '1.2',
    path: '/sleep/date/:start/:end.json',
    scope: 'sleep',
    respond: range,
  },
];
