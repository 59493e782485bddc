import { passwordCapabilities } from '../kit/definition/capabilities.ts';
import { addDays } from '../model/calendar.ts';
import type { ApiResponse, SimulatorDefinition, UserCall } from '../kit/definition/definition.ts';
import { uuidOf } from '../kit/person/uuid-of.ts';
import type { Reading } from '../kit/person/types.ts';
import { loginRoutes, refusal, services, tokenOfSession } from './logins.ts';

const dayMinutes = 1440;
const readingsMax = 288;
const trends = ['Flat', 'FortyFiveUp', 'SingleUp', 'FortyFiveDown', 'NotComputable'];

function numberIn(text: string | null, max: number): number | null {
  const number = Number(text);
  return Number.isInteger(number) && number >= 1 && number <= max ? number : null;
}

/** Codes of the receiver in place of a reading: sensor not active, not calibrated, power deviation. */
const codes = [1, 5, 10] as const;
const codeEvery = 47;

/** A reading, sometimes in the format of older servers, and sometimes a code. */
function render({ ms, value }: Reading, offsetMinutes: number): object {
  const slot = Math.floor(ms / 300_000);
  const isOld = slot % 7 === 0;
  const isCode = slot % codeEvery === 0;
  const pad = (part: number) => String(Math.trunc(part)).padStart(2, '0');
  const minutes = Math.abs(offsetMinutes);
  const offset = `${offsetMinutes < 0 ? '-' : '+'}${pad(minutes / 60)}${pad(minutes % 60)}`;
  const date = (suffix: string) => (isOld ? `/Date(${ms}${suffix})/` : `Date(${ms}${suffix})`);
  const trend = value % trends.length;
  return {
    WT: date(''),
    ST: date(''),
    DT: date(offset),
    Value: isCode ? codes[slot % codes.length] : value,
    Trend: isOld ? trend : trends[trend],
  };
}

/** The day is counted back from the last upload, so that a response does not depend on the time of the request. */
function readLatest({ account: { person }, query }: UserCall): ApiResponse {
  const minutes = numberIn(query.get('minutes'), dayMinutes);
  const count = numberIn(query.get('maxCount'), readingsMax);
  if (minutes === null || count === null) return refusal('InvalidArgument', minutes === null ? 'minutes' : 'maxCount');
  const lastMs = person.syncedMs();
  const today = person.zone.toLocal(lastMs).date;
  const readings = person.days(addDays(today, -1), today).flatMap(({ glucose }) => glucose);
  const found = readings.filter(({ ms }) => ms >= lastMs - minutes * 60_000).toReversed();
  return { body: found.slice(0, count).map((reading) => render(reading, person.zone.offsetMinutes(reading.ms))) };
}

const isLogin = (kind: string): boolean => kind === 'authenticate' || kind === 'login';

/** Dexcom Share, from open clients: sessions in the query, errors as status 500 with a code. */
export const dexcomDefinition: SimulatorDefinition = {
  slug: 'dexcom',
  troubles: {
    internal_error: (kind) => (isLogin(kind) ? null : refusal('SSO_InternalError', 'An internal error has occurred')),
    // Codes of older servers.
    account_not_found: (kind) => (isLogin(kind) ? refusal('SSO_AuthenticateAccountNotFound') : null),
    password_invalid: (kind) => (isLogin(kind) ? refusal('SSO_AuthenticatePasswordInvalid') : null),
    attempts_exceeded: (kind) => (isLogin(kind) ? refusal('SSO_AuthenticateMaxAttemptsExceeded') : null),
    name_unknown: (kind) => (isLogin(kind) ? refusal('SSO_InternalError', 'Cannot Authenticate by AccountName') : null),
  },
  capabilities: {
    ...passwordCapabilities,
    regions: ['us', 'eu', 'jp'],
  },
  regionPaths: { us: '/us', ous: '/ous', jp: '/jp' },
  providerUserId: (name) => uuidOf(`dexcom:${name}`),
  readToken: tokenOfSession,
  routes: [
    ...loginRoutes,
    { kind: 'glucose', method: 'POST', path: `${services}/Publisher/ReadPublisherLatestGlucoseValues`, auth: 'user', respond: readLatest },
  ],
  refuse({ reason, status, message }) {
    if (reason === 'token_invalid') return refusal('SessionIdNotFound');
    if (reason === 'token_expired') return refusal('SessionNotValid');
    return { status, body: { Code: reason === 'server_error' ? 'InternalError' : reason, Message: message } };
  },
};
