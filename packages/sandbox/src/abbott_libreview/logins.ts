import { randomBase62 } from '@pulsewire/kernel';
import type { SimAccount } from '../kit/accounts/accounts.ts';
import { hasChangedPassword, noteLogin } from '../kit/definition/changed-password.ts';
import type { ApiResponse, ApiCall, ApiRoute } from '../kit/definition/definition.ts';
import { hostRegionOf, regionOfHost } from './regions.ts';

const interimMs = 3_600_000;
const ticketMs = 15_552_000_000;
const failuresMax = 3;
const failuresWithinMs = 60_000;
const lockSeconds = 300;

/** Names without an account that simulate logins with a pending step in the app. */
const stepsOfNames: Readonly<Record<string, string>> = {
  'terms@mail.example': 'tou',
  'privacy@mail.example': 'pp',
  'unverified@mail.example': 'verifyEmail',
};

export function fieldOf(json: unknown, name: string): string {
  const value = typeof json === 'object' && json !== null ? Object.entries(json).find(([key]) => key === name)?.[1] : undefined;
  return typeof value === 'string' ? value : '';
}

const bad: ApiResponse = { body: { status: 2, error: { message: 'notAuthenticated' } } };

function userOf(account: SimAccount): object {
  return {
    id: account.providerUserId,
    country: (account.region ?? 'us').toUpperCase(),
    // A string here, a number in the list of followed people.
    uom: '1',
    // By their id.
    devices: { 'device-1': { id: 'device-1', nickname: '', sn: '0M00000000', type: 40_068, uploadDate: 0 } },
    trustedDeviceToken: '',
    invitations: null,
    accountType: 'pat',
    email: account.email,
    twoFactor: account.wantsMfa
      ? { primaryMethod: 'phone', primaryValue: '+49 170 55512', secondaryMethod: 'email', secondaryValue: account.email }
      : null,
  };
}

function stepResponse(nowMs: number, type: string, token: string, user: object | null): ApiResponse {
  const authTicket = { token, expires: Math.floor((nowMs + interimMs) / 1000), duration: interimMs };
  return { body: { status: 4, data: { step: { type, componentName: 'Step', props: {} }, user, authTicket } } };
}

/** The end of a login. */
function ticketFor({ parts }: ApiCall, account: SimAccount): ApiResponse {
  const { accessToken } = parts.grants.grant({ clientId: 'llu', providerUserId: account.providerUserId, scopes: [] });
  noteLogin(parts, account);
  parts.save();
  const expires = Math.floor((parts.clock.wallMs() + ticketMs) / 1000);
  return { body: { status: 0, data: { user: userOf(account), authTicket: { token: accessToken, expires, duration: ticketMs } } } };
}

/** A token that is valid for only one step. */
function interimFor({ parts }: ApiCall, account: SimAccount, step: string): string {
  const token = randomBase62(40);
  parts.memory.set(`interim ${token}`, { name: account.name, step });
  return token;
}

function takeInterim({ parts, headers }: ApiCall, step: string): SimAccount | undefined {
  const token = /^Bearer (\S+)$/.exec(String(headers['authorization'] ?? ''))?.[1] ?? '';
  const kept = parts.memory.get(`interim ${token}`) as { readonly name: string; readonly step: string } | undefined;
  return kept?.step === step ? parts.accounts.byName(kept.name) : undefined;
}

interface Failures {
  readonly times: readonly number[];
}

function login(call: ApiCall): ApiResponse {
  const { parts, json } = call;
  const email = fieldOf(json, 'email');
  const step = stepsOfNames[email];
  if (step !== undefined) return stepResponse(parts.clock.wallMs(), step, randomBase62(40), null);
  const account = parts.accounts.byUsername(email);
  if (!account) return bad;
  const key = `failures ${account.name}`;
  const nowMs = parts.clock.wallMs();
  const { times } = (parts.memory.get(key) as Failures | undefined) ?? { times: [] };
  const isLocked = times.length >= failuresMax && nowMs - (times.at(-1) ?? 0) < parts.clock.toWallMs(lockSeconds * 1000);
  if (isLocked) {
    const data = { failures: failuresMax, interval: failuresWithinMs / 1000, lockout: lockSeconds };
    return { body: { status: 429, data: { code: 60, data, message: 'locked' } } };
  }
  if (fieldOf(json, 'password') !== account.password || hasChangedPassword(parts, account)) {
    const recent = times.filter((time) => nowMs - time < parts.clock.toWallMs(failuresWithinMs));
    parts.memory.set(key, { times: [...recent, nowMs] });
    return bad;
  }
  parts.memory.delete(key);
  const place = regionOfHost(call.path);
  if (place !== null && place !== hostRegionOf(account))
    return { body: { status: 0, data: { redirect: true, region: hostRegionOf(account) } } };
  if (account.wantsMfa) return stepResponse(nowMs, '2faVerify', interimFor(call, account, 'sendcode'), userOf(account));
  return ticketFor(call, account);
}

const noStep: ApiResponse = { status: 401, body: { message: 'MissingOrInvalidToken' } };

function sendCode(call: ApiCall): ApiResponse {
  const account = takeInterim(call, 'sendcode');
  if (!account) return noStep;
  return { body: { status: 0, data: {}, ticket: { token: interimFor(call, account, 'result'), duration: interimMs } } };
}

function takeCode(call: ApiCall): ApiResponse {
  const account = takeInterim(call, 'result');
  if (!account) return noStep;
  return fieldOf(call.json, 'code') === account.mfaCode ? ticketFor(call, account) : bad;
}

export const loginRoutes: readonly ApiRoute[] = [
  { kind: 'login', method: 'POST', path: '/llu/auth/login', auth: 'open', hasFaults: true, respond: login },
  { kind: 'sendcode', method: 'POST', path: '/auth/continue/2fa/sendcode', auth: 'open', respond: sendCode },
  { kind: 'result', method: 'POST', path: '/auth/continue/2fa/result', auth: 'open', respond: takeCode },
];
