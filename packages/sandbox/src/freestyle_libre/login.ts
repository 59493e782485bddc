import type { ApiResponse, ApiCall, ApiRoute } from '../kit/definition/definition.ts';
import { regionOfHost, practiceRegion } from './regions.ts';
import { issuePracticeToken } from './patient-tokens.ts';

const ticketMs = 15_552_000_000;
const interimMs = 3_600_000;

/** A practice whose login always requires a code. */
const carefulPractice = 'careful-practice@mail.example';

export function fieldOf(json: unknown, name: string): string {
  const value = typeof json === 'object' && json !== null ? Object.entries(json).find(([key]) => key === name)?.[1] : undefined;
  return typeof value === 'string' ? value : '';
}

function authTicket(nowMs: number, token: string, duration: number): object {
  return { token, expires: Math.floor((nowMs + duration) / 1000), duration };
}

/** The practice's name and password are those of an application. */
function login(call: ApiCall): ApiResponse {
  const { parts, json, path, headers } = call;
  const email = fieldOf(json, 'email');
  const nowMs = parts.clock.wallMs();
  if (headers['product'] !== 'lv') return { status: 403, body: { message: 'forbidden' } };
  if (email === carefulPractice) {
    const step = { type: '2faVerify', componentName: 'Verify', props: {} };
    return { body: { status: 4, data: { step, user: null, authTicket: authTicket(nowMs, 'interim', interimMs) } } };
  }
  const practice = parts.applications.get(email);
  if (practice?.clientSecret !== fieldOf(json, 'password')) return { body: { status: 2, error: { message: 'notAuthenticated' } } };
  const place = regionOfHost(path);
  if (place !== practiceRegion) return { body: { status: 0, data: { redirect: true, region: practiceRegion } } };
  const token = issuePracticeToken(parts, practice.clientId);
  parts.save();
  const user = { id: `practice-${practice.clientId}`, accountType: 'hcp', country: 'DE' };
  return { body: { status: 0, data: { user, authTicket: authTicket(nowMs, token, ticketMs) } } };
}

export const loginRoutes: readonly ApiRoute[] = [
  { kind: 'login', method: 'POST', path: '/auth/login', auth: 'open', hasFaults: true, respond: login },
];
