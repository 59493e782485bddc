import { hourMs } from '@pulsewire/kernel';
import { createHash } from 'node:crypto';
import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { ApiResponse, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import type { Person } from '../kit/person/person.ts';
import type { Reading } from '../kit/person/types.ts';
import { uuidOf } from '../kit/person/uuid-of.ts';
import { RefusalError } from '../kit/parts/refusal.ts';
import { isPatient } from './patient-account.ts';
import { hostRegionOf, regionOfHost } from './regions.ts';

const graphHours = 12;
const logbookDays = 14;
/** The logbook holds a scan every few hours. */
const scanEveryMs = 4 * hourMs;
const leastVersion = [4, 16];
const products: ReadonlySet<string> = new Set(['llu.android', 'llu.ios']);

/** Accounts with this name prefix also follow a second person. */
const followsTwo = ({ name }: SimAccount): boolean => name.startsWith('Twice');
/** Their readings are higher by this, mg/dL. */
const secondPatientShift = 30;
const secondPatientIdOf = (account: SimAccount) => uuidOf(`libre second patient:${account.name}`);
const patientIdOf = (account: SimAccount) => uuidOf(`libre patient:${account.name}`);

/** `3/8/2026 1:05:00 PM`, the digits of a clock. */
function clockText(iso: string): string {
  const [year, month, day, hour, minute, second] = iso.match(/\d+/g)?.map(Number) ?? [];
  const pad = (part = 0) => String(part).padStart(2, '0');
  const twelve = ((hour ?? 0) + 11) % 12;
  return `${month}/${day}/${year} ${twelve + 1}:${pad(minute)}:${pad(second)} ${(hour ?? 0) < 12 ? 'AM' : 'PM'}`;
}

function measurement({ zone }: Person, { ms, value }: Reading, type: number): object {
  return {
    FactoryTimestamp: clockText(new Date(ms).toISOString()),
    Timestamp: clockText(zone.localText(ms)),
    type,
    ValueInMgPerDl: value,
    // Readings of the graph have no arrow.
    ...(type === 0 ? {} : { TrendArrow: 1 + (value % 5), TrendMessage: null }),
    MeasurementColor: 1,
    GlucoseUnits: 1,
    Value: value,
    isHigh: false,
    isLow: value < 70,
  };
}

/** An alarm in the logbook has no reading. */
function alarm({ zone }: Person, ms: number): object {
  return { FactoryTimestamp: clockText(new Date(ms).toISOString()), Timestamp: clockText(zone.localText(ms)), alarmType: 1 };
}

/** Readings up to the last upload, from which the days are counted back. */
function readings(person: Person, hours: number): readonly Reading[] {
  const lastMs = person.syncedMs();
  const { date } = person.zone.toLocal(lastMs - hours * hourMs);
  const days = person.days(date, person.today());
  return days.flatMap(({ glucose }) => glucose).filter(({ ms }) => ms > lastMs - hours * hourMs);
}

/** Readings of a followed person: of the account itself, or of the second one. */
function readingsOf(account: SimAccount, patientId: string | undefined, hours: number): readonly Reading[] {
  const own = readings(account.person, hours);
  if (patientId !== secondPatientIdOf(account)) return own;
  return own.map((reading) => ({ ...reading, value: reading.value + secondPatientShift }));
}

function connectionOf(account: SimAccount, patientId = patientIdOf(account)): object {
  const { person } = account;
  const isSecond = patientId === secondPatientIdOf(account);
  const last = readingsOf(account, patientId, graphHours).at(-1);
  return {
    id: uuidOf(`libre ${isSecond ? 'second ' : ''}connection:${account.name}`),
    patientId,
    country: 'DE',
    status: 2,
    firstName: isSecond ? 'Bea' : 'Ann',
    lastName: 'Example',
    targetLow: 70,
    targetHigh: 180,
    uom: 1,
    glucoseAlarm: null,
    sensor: { deviceId: '', sn: '0M00000000', a: 1_770_000_000, w: 60, pt: 4 },
    ...(last && { glucoseMeasurement: measurement(person, last, 1) }),
  };
}

/** All people that the account follows. */
function connectionsOf(account: SimAccount): readonly object[] {
  const own = connectionOf(account);
  return followsTwo(account) ? [own, connectionOf(account, secondPatientIdOf(account))] : [own];
}

/** Every call must come from a recent app version, identify its token's user, and go to the account's own host. */
function guarded(respond: (call: UserCall) => object): (call: UserCall) => ApiResponse {
  return (call) => {
    const { headers, account, path } = call;
    const [major = 0, minor = 0] = String(headers['version'] ?? '')
      .split('.')
      .map(Number);
    const isOld = major < (leastVersion[0] ?? 0) || (major === leastVersion[0] && minor < (leastVersion[1] ?? 0));
    if (!products.has(String(headers['product'])) || isOld)
      return { status: 403, body: { data: { minimumVersion: '4.16.0' }, status: 920 } };
    const accountId = createHash('sha256').update(account.providerUserId).digest('hex');
    const place = regionOfHost(path);
    if (isPatient(account) || headers['account-id'] !== accountId || (place !== null && place !== hostRegionOf(account)))
      throw new RefusalError('token_invalid', 'MissingOrInvalidToken');
    // Every response repeats the session's token.
    const token = String(headers['authorization'] ?? '').replace(/^Bearer /i, '');
    return { body: { status: 0, data: respond(call), ticket: { token, duration: 15_552_000_000 } } };
  };
}

const ofPatient =
  (respond: (call: UserCall) => object) =>
  (call: UserCall): ApiResponse =>
    call.params['patient'] === patientIdOf(call.account) ||
    (followsTwo(call.account) && call.params['patient'] === secondPatientIdOf(call.account))
      ? guarded(respond)(call)
      : { body: { status: 4, error: { message: 'couldNotLoadPatient' } } };

export const dataRoutes: readonly ApiRoute[] = [
  {
    kind: 'connections',
    method: 'GET',
    path: '/llu/connections',
    auth: 'user',
    respond: guarded(({ account }) => connectionsOf(account)),
  },
  {
    kind: 'graph',
    method: 'GET',
    path: '/llu/connections/:patient/graph',
    auth: 'user',
    respond: ofPatient((call) => ({
      connection: connectionOf(call.account, call.params['patient']),
      activeSensors: [],
      // The current reading is only in the connection.
      graphData: readingsOf(call.account, call.params['patient'], graphHours)
        .slice(0, -1)
        .map((reading) => measurement(call.account.person, reading, 0)),
    })),
  },
  {
    kind: 'logbook',
    method: 'GET',
    path: '/llu/connections/:patient/logbook',
    auth: 'user',
    respond: ofPatient((call) =>
      readingsOf(call.account, call.params['patient'], logbookDays * 24)
        .filter(({ ms }) => ms % scanEveryMs === 0)
        .flatMap((reading, index) => {
          const scan = measurement(call.account.person, reading, 2);
          return index % 6 === 1 ? [scan, alarm(call.account.person, reading.ms + 60_000)] : [scan];
        })
        .toReversed(),
    ),
  },
];
