import { addDays } from '../model/calendar.ts';
import type { ApiResponse, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import { invalid, RefusalError } from '../kit/parts/refusal.ts';
import { kinds, silentKinds, type Kind } from './kinds.ts';
import { breakSummaries } from './break-summaries.ts';
import { callbackPath, messagesFor, type Callback } from './pushes.ts';
import { seconds } from './summaries.ts';

const daySeconds = 86_400;
/** How far history reaches back before the registration of a user; reported for some users only. */
const historyDaysMax = 30;
/** A month of heart rate in one body is large; it is sent in parts. */
const daysPerPush = 10;

function secondsOf(call: UserCall, name: string): number {
  const value = Number(call.query.get(name));
  if (!call.query.has(name) || !Number.isInteger(value) || value < 0) throw invalid(`${name} must be seconds since the epoch`);
  return value;
}

/** Accounts with this name prefix get no history from before the last month. */
const isLimited = ({ account }: UserCall): boolean => account.name.startsWith('Newcomer');

const iso = (epochSeconds: number, fraction = ''): string => new Date(epochSeconds * 1000).toISOString().replace(/\.\d+Z$/, `${fraction}Z`);

/** Seconds; the application's first request about the user counts as the registration. */
function registeredAt({ grant, parts }: UserCall): number {
  const place = `registered ${grant.grantId}`;
  if (!parts.memory.has(place)) parts.memory.set(place, seconds(parts.clock.wallMs()));
  return Number(parts.memory.get(place));
}

/** Sends what started in the range to the application that requested it. */
function response({ account, grant, parts }: UserCall, kind: Kind, from: number, to: number): void {
  const { person } = account;
  const [first, last] = [person.zone.toLocal(from * 1000).date, person.zone.toLocal(to * 1000).date];
  const days = person.days(first, last);
  for (let place = 0; place < days.length; place += daysPerPush) {
    const part = days.slice(place, place + daysPerPush);
    const started = part
      .flatMap((day) => kind.of(account, day))
      .filter((summary) => {
        const start = Number(summary['startTimeInSeconds'] ?? summary['measurementTimeInSeconds'] ?? from);
        return start >= from && start < to;
      });
    const dates = [part[0]?.date ?? first, part.at(-1)?.date ?? last] as const;
    if (started.length === 0) continue;
    for (const message of messagesFor(parts, kind, account, started, dates)) {
      const target = parts.pushes.targets().find(({ clientId }) => clientId === grant.clientId && clientId === message.topic);
      if (!target) continue;
      const isBroken = parts.faults.strikes('malformed_item', 'push');
      parts.pushes.send(target, isBroken ? { ...message, body: breakSummaries(message.body as object) } : message);
    }
  }
}

/** 202 and nothing else; the data is pushed. Repeating a request of the same consent is rejected. */
function backfill(call: UserCall): ApiResponse {
  const type = call.params['type'] ?? '';
  const kind = kinds.find((known) => known.backfill === type);
  if (!kind && !silentKinds.includes(type)) throw new RefusalError('not_found', 'No such summary type');
  const [from, to] = [secondsOf(call, 'summaryStartTimeInSeconds'), secondsOf(call, 'summaryEndTimeInSeconds')];
  if (to <= from) throw invalid('End must be after start');
  if (to > seconds(call.parts.clock.wallMs())) throw invalid('End must not be in the future');
  if (to - from > (kind?.daysMax ?? 90) * daySeconds) throw invalid('The range is too large');
  const earliest = registeredAt(call) - historyDaysMax * daySeconds;
  // Recorded verbatim by several clients; the limit has nanoseconds in some.
  if (isLimited(call) && from < earliest) throw invalid(`start ${iso(from)} before min start time of ${iso(earliest, '.333571500')}`);
  if (kind && !call.grant.scopes.includes(kind.scope)) throw new RefusalError('scope_missing', `Needs ${kind.scope}`);
  const place = `backfill ${call.grant.grantId} ${type} ${from} ${to}`;
  if (call.parts.memory.has(place)) throw new RefusalError('conflict', 'Duplicate backfill request');
  call.parts.memory.set(place, true);
  if (kind) response(call, kind, from, to);
  call.parts.save();
  return { status: 202 };
}

/** The summaries that a ping announced. */
function callback(call: UserCall): ApiResponse {
  const known = call.parts.memory.get(call.query.get('token') ?? '') as Callback | undefined;
  const { account } = call;
  if (known?.key !== call.params['key'] || known?.providerUserId !== account.providerUserId) throw invalid('Unknown token');
  const kind = kinds.find(({ key }) => key === known.key);
  const days = account.person.days(known.first, addDays(known.last, 0));
  return { body: days.flatMap((day) => kind?.of(account, day) ?? []) };
}

const get = { method: 'GET', auth: 'user' } as const;

export const dataRoutes: readonly ApiRoute[] = [
  { ...get, kind: 'backfill', path: '/wellness-api/rest/backfill/:type', scope: 'HISTORICAL_DATA_EXPORT', respond: backfill },
  { ...get, kind: 'callback', path: `${callbackPath}:key`, respond: callback },
];
