import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { Pair } from '../kit/accounts/grants.ts';
import { hasChangedPassword } from '../kit/definition/changed-password.ts';
import type { ApiCall, ApiResponse, ApiRoute } from '../kit/definition/definition.ts';
import { jwtOf } from '../kit/oauth/jwt-tokens.ts';

function tokenBody(pair: Pair): Readonly<Record<string, unknown>> {
  const { refreshToken, expiresIn } = pair;
  return { access_token: jwtOf(pair), token_type: 'Bearer', expires_in: expiresIn, refresh_token: refreshToken };
}

const dashboardClient = 'dashboard';
const sramClients = ['MFhsYcUUMGGBPaA4KpGKxUuzyqOY9ReM', 'zIvfleoh46jy4behzZdkFoUIiW70KX23'];
const passwordGrants = ['password', 'http://auth0.com/oauth/grant-type/password-realm'];
const realm = 'sramid-db';
const wrongPassword = 'Wrong email or password.';

/** The exchange may bring no refresh token; SRAM's own then renews the access, where it issued one: not to `Unrenewed` people. */
const hasBareExchange = ({ name }: SimAccount): boolean => /^(?:Bare|Unrenewed) /.test(name);
const hasSramRenewal = ({ name }: SimAccount): boolean => !name.startsWith('Unrenewed ');

/** Half of the accounts were moved to SRAM ID; they can no longer sign in at the dashboard itself. */
const wasMoved = (account: SimAccount): boolean => hasBareExchange(account) || Number(account.providerUserId) % 2 === 1;

/** Fields of a form or of a JSON object: clients send both. */
function fieldsOf({ json, form }: ApiCall): (name: string) => string {
  return (name) => {
    const value = typeof json === 'object' && json !== null ? (json as Readonly<Record<string, unknown>>)[name] : form.get(name);
    return typeof value === 'string' ? value : '';
  };
}

function accountOf({ parts }: ApiCall, field: (name: string) => string): SimAccount | undefined {
  const account = parts.accounts.byUsername(field('username'));
  return account?.password === field('password') ? account : undefined;
}

const refused = (status: number, error: string, description: string): ApiResponse => ({
  status,
  body: { error, error_description: description },
});

function refresh(call: ApiCall, token: string, clientId: string): ApiResponse {
  const pair = call.parts.grants.refresh(token, clientId);
  call.parts.save();
  return { body: tokenBody(pair) };
}

function issue(call: ApiCall, account: SimAccount, clientId: string): ReturnType<typeof call.parts.grants.grant> {
  const pair = call.parts.grants.grant({ clientId, providerUserId: account.providerUserId, scopes: [] });
  call.parts.save();
  return pair;
}

/** The older sign-in, at the dashboard. */
function dashboardLogin(call: ApiCall): ApiResponse {
  const field = fieldsOf(call);
  if (field('grant_type') === 'refresh_token') return refresh(call, field('refresh_token'), dashboardClient);
  const account = accountOf(call, field);
  if (!account || wasMoved(account))
    return { status: 401, body: { statusCode: 401, error: 'Unauthorized', message: 'Invalid credentials' } };
  return { body: tokenBody(issue(call, account, dashboardClient)) };
}

/** SRAM's own sign-in service. Its tokens are valid only for the exchange. */
function sramLogin(call: ApiCall): ApiResponse {
  const field = fieldsOf(call);
  if (!sramClients.includes(field('client_id'))) return refused(401, 'invalid_client', 'Unknown client');
  if (!passwordGrants.includes(field('grant_type'))) return refused(403, 'unauthorized_client', 'Grant type not allowed');
  if (field('grant_type') !== 'password' && field('realm') !== realm) return refused(403, 'invalid_request', 'Unknown realm');
  const account = accountOf(call, field);
  if (!account || !wasMoved(account)) return refused(403, 'invalid_grant', wrongPassword);
  const ticket = `sram-${account.providerUserId}`;
  call.parts.memory.set(ticket, account.providerUserId);
  const renewal = hasSramRenewal(account) ? { refresh_token: `${ticket}-refresh` } : {};
  return { body: { access_token: ticket, ...renewal, id_token: 'e30.e30.', expires_in: 86_400, token_type: 'Bearer' } };
}

/** Tokens of the dashboard; without a refresh token for people whose exchange brings none. */
function exchanged(call: ApiCall, account: SimAccount): ApiResponse {
  const { refresh_token: renewal, ...rest } = tokenBody(issue(call, account, 'sram'));
  return { body: hasBareExchange(account) ? rest : { ...rest, refresh_token: renewal } };
}

/** Exchanges SRAM's tokens for the dashboard's, and renews those, also by SRAM's own refresh token. */
function exchange(call: ApiCall): ApiResponse {
  const field = fieldsOf(call);
  if (field('grant_type') === 'refresh_token') {
    const renewed = call.parts.accounts.byProviderUserId(/^sram-(\d+)-refresh$/.exec(field('refresh_token'))?.[1] ?? '');
    const isRenewable = renewed && hasBareExchange(renewed) && hasSramRenewal(renewed) && !hasChangedPassword(call.parts, renewed);
    return isRenewable ? exchanged(call, renewed) : refresh(call, field('refresh_token'), 'sram');
  }
  const ticket = field('accessToken');
  const owner = call.parts.memory.get(ticket);
  const account = typeof owner === 'string' ? call.parts.accounts.byProviderUserId(owner) : undefined;
  if (!account || field('refreshToken') !== (hasSramRenewal(account) ? `${ticket}-refresh` : ''))
    return { status: 401, body: { statusCode: 401, message: 'Unauthorized' } };
  call.parts.memory.delete(ticket);
  return exchanged(call, account);
}

const open = { method: 'POST', auth: 'open', hasFaults: 'before' } as const;

export const loginRoutes: readonly ApiRoute[] = [
  { ...open, kind: 'login.sram', path: '/oauth/token', respond: sramLogin },
  { ...open, kind: 'login.dashboard', path: '/auth/token', respond: dashboardLogin },
  { ...open, kind: 'login.exchange', path: '/auth/sram/mobile/token', respond: exchange },
];
