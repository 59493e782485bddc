import { dayMs, hourMs } from '@pulsewire/kernel';
import type { ApiResponse, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import type { Person } from '../kit/person/person.ts';
import type { PersonDay } from '../kit/person/types.ts';
import { invalid } from '../kit/parts/refusal.ts';
import { calibrationsOf, egvsOf, eventsOf, type DexcomRecord } from './records.ts';

const root = '/v3/users/self';
const daysMax = 30;
/** As in the US: uploads from phones appear an hour later. */
const delayMs = hourMs;

const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/;

/** A time without a zone is UTC; one with a zone is rejected. */
function timeOf({ query }: UserCall, name: string): number {
  const text = query.get(name) ?? '';
  if (!timePattern.test(text)) throw invalid(`Invalid ${name}`);
  return Date.parse(`${text}Z`);
}

function visibleUntil({ account: { person }, parts }: UserCall): number {
  return Math.min(person.syncedMs(), parts.clock.wallMs() - delayMs);
}

type Collect = (person: Person, day: PersonDay) => readonly DexcomRecord[];

function recordsBetween(call: UserCall, fromMs: number, toMs: number, collect: Collect): DexcomRecord[] {
  const { person } = call.account;
  const untilMs = Math.min(toMs, visibleUntil(call));
  const days = person.days(person.zone.toLocal(fromMs).date, person.zone.toLocal(toMs).date);
  return days.flatMap((day) => collect(person, day)).filter(({ ms }) => ms >= fromMs && ms < untilMs && !person.isRemoved(ms));
}

function list(call: UserCall, recordType: string, collect: Collect): ApiResponse {
  const [fromMs, toMs] = [timeOf(call, 'startDate'), timeOf(call, 'endDate')];
  if (toMs < fromMs || toMs - fromMs > daysMax * dayMs) throw invalid(`At most ${daysMax} days`);
  const records = recordsBetween(call, fromMs, toMs, collect).map(({ body }) => body);
  return { body: { recordType, recordVersion: '3.0', userId: call.account.providerUserId, records } };
}

function dataRange(call: UserCall): ApiResponse {
  const { person, providerUserId } = call.account;
  const [startMs, endMs] = [person.zone.toInstant(person.firstDate, 0), visibleUntil(call)];
  const at = (ms: number) => ({
    systemTime: `${new Date(ms).toISOString().slice(0, 19)}Z`,
    displayTime: `${person.zone.localText(ms).slice(0, 19)}${person.zone.offsetText(ms).slice(-6)}`,
  });
  const range = { start: at(startMs), end: at(endMs) };
  return {
    body: { recordType: 'dataRange', recordVersion: '3.0', userId: providerUserId, egvs: range, events: range, calibrations: null },
  };
}

function route(path: string, respond: (call: UserCall) => ApiResponse): ApiRoute {
  return { kind: path, method: 'GET', path: `${root}/${path}`, auth: 'user', respond };
}

/** The five collections of a user and the range of their data. */
export const dexcomRoutes: readonly ApiRoute[] = [
  route('dataRange', dataRange),
  route('egvs', (call) => list(call, 'egv', egvsOf)),
  route('events', (call) => list(call, 'event', eventsOf)),
  route('calibrations', (call) => list(call, 'calibration', calibrationsOf)),
  route('alerts', (call) => list(call, 'alert', () => [])),
  route('devices', (call) => list(call, 'device', () => [])),
];
