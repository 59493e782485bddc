import { randomBase62 } from '@pulsewire/kernel';
import type { SimAccount } from '../kit/accounts/accounts.ts';
import { hasChangedPassword } from '../kit/definition/changed-password.ts';
import type { ApiResponse, ApiCall, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import { isPatient, twoFactorOf, usesMmol } from './patient-account.ts';
import { hostRegionOf, regionOfHost } from './regions.ts';
import { openSession, renewToken } from './sessions.ts';

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
  // LibreView makes its users change the password about once a year. What it responds then is unknown; this is assumed.
  'expired@mail.example': 'resetPassword',
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
    uom: usesMmol(account) && isPatient(account) ? '0' : '1',
    // By their id.
    devices: { 'device-1': { id: 'device-1', nickname: '', sn: '0M00000000', type: 40_068, uploadDate: 0 } },
    trustedDeviceToken: '',
    invitations: null,
    accountType: 'pat',
    email: account.email,
    twoFactor: twoFactorOf(account),
  };
}

function stepResponse(nowMs: number, type: string, token: string, user: object | null): ApiResponse {
  const authTicket = { token, expires: Math.floor((nowMs + interimMs) / 1000), duration: interimMs };
  return { body: { status: 4, data: { step: { type, componentName: 'Step', props: {} }, user, authTicket } } };
}

function authTicketOf({ parts }: ApiCall, token: string): object {
  return { token, expires: Math.floor((parts.clock.wallMs() + ticketMs) / 1000), duration: ticketMs };
}

/** The end of a login. */
function ticketFor(call: ApiCall, account: SimAccount): ApiResponse {
  const authTicket = authTicketOf(call, openSession(call, account));
  return { body: { status: 0, data: { user: userOf(account), authTicket } } };
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

function redirectTo(account: SimAccount): ApiResponse {
  const country = (account.region ?? 'us').toUpperCase();
  return { body: { status: 0, data: { country, redirect: true, region: hostRegionOf(account), uiLanguage: 'en-US' } } };
}

interface Failures {
  readonly times: readonly number[];
}

/** Followers log in to LibreLinkUp, patients to LibreView. */
function login(call: ApiCall, isForPatients: boolean): ApiResponse {
  const { parts, json } = call;
  const email = fieldOf(json, 'email');
  const step = stepsOfNames[email];
  if (step !== undefined) return stepResponse(parts.clock.wallMs(), step, randomBase62(40), null);
  const account = parts.accounts.byUsername(email);
  if (!account || isPatient(account) !== isForPatients) return bad;
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
  // The global host serves followers of every region.
  if (place !== hostRegionOf(account) && (place !== null || isForPatients)) return redirectTo(account);
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

/** The patient's own facts, for clients whose login response had none. */
function readUser(call: UserCall): ApiResponse {
  if (!isPatient(call.account) || regionOfHost(call.path) !== hostRegionOf(call.account)) return noStep;
  return { body: { status: 0, data: { user: userOf(call.account), authTicket: authTicketOf(call, renewToken(call)) } } };
}

const post = { method: 'POST', auth: 'open' } as const;

export const loginRoutes: readonly ApiRoute[] = [
  { ...post, kind: 'login', path: '/llu/auth/login', hasFaults: true, respond: (call: ApiCall) => login(call, false) },
  { ...post, kind: 'patient.login', path: '/auth/login', hasFaults: true, respond: (call: ApiCall) => login(call, true) },
  { ...post, kind: 'sendcode', path: '/auth/continue/2fa/sendcode', respond: sendCode },
  { ...post, kind: 'result', path: '/auth/continue/2fa/result', respond: takeCode },
  { kind: 'user', method: 'GET', path: '/user', auth: 'user', respond: readUser },
];
