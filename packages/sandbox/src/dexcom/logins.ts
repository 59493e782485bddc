import type { SimAccount } from '../kit/accounts/accounts.ts';
import { hasChangedPassword, recordLogin } from '../kit/definition/changed-password.ts';
import type { ApiResponse, ApiCall, ApiRoute } from '../kit/definition/definition.ts';
import { uuidOf } from '../kit/person/uuid-of.ts';

export const services = '/ShareWebServices/Services';

const attemptsMax = 5;
const lockMs = 600_000;
const applicationIds = ['d89443d2-327c-4a6f-89e5-496bbb0317db', 'd8665ade-9673-4e27-9ff6-92db4ce13d13'];
const forgottenName = 'forgotten@mail.example';
const nobody = '00000000-0000-0000-0000-000000000000';

/** Every refusal has status 500 and a code. */
export function refusal(code: string, message = code): ApiResponse {
  return { status: 500, body: { Code: code, Message: message, SubCode: `<OnlineException Code="${code}"/>`, TypeName: 'FaultException' } };
}

function fieldOf(json: unknown, name: string): string {
  const value = typeof json === 'object' && json !== null ? Object.entries(json).find(([key]) => key === name)?.[1] : undefined;
  return typeof value === 'string' ? value : '';
}

/** Accounts of a region exist only there; the root path serves all of them. */
function livesHere({ path }: ApiCall, account: SimAccount): boolean {
  const place = path.split('/')[1];
  const home = account.region === 'us' || account.region === 'jp' ? account.region : 'ous';
  return place === 'ShareWebServices' || place === home;
}

interface Attempts {
  readonly count: number;
  readonly atMs: number;
}

/** Checks the password like Share: the same response for an unknown account, a wrong password and a wrong region. */
function checked(call: ApiCall, found: SimAccount | undefined, respond: (account: SimAccount) => unknown): ApiResponse {
  const { parts, json } = call;
  const account = found && livesHere(call, found) ? found : undefined;
  if (!applicationIds.includes(fieldOf(json, 'applicationId'))) return refusal('InvalidArgument', 'ApplicationId');
  if (!account) return refusal('AccountPasswordInvalid');
  const key = `attempts ${account.name}`;
  const known = parts.memory.get(key) as Attempts | undefined;
  const isRecent = known !== undefined && parts.clock.wallMs() - known.atMs < parts.clock.toWallMs(lockMs);
  const count = isRecent ? known.count : 0;
  if (count >= attemptsMax) return refusal('SSO_AuthenticateMaxAttemptsExceeded');
  if (fieldOf(json, 'password') !== account.password || hasChangedPassword(parts, account)) {
    parts.memory.set(key, { count: count + 1, atMs: parts.clock.wallMs() });
    return refusal('AccountPasswordInvalid');
  }
  parts.memory.delete(key);
  return { body: respond(account) };
}

function authenticate(call: ApiCall): ApiResponse {
  const name = fieldOf(call.json, 'accountName');
  if (name === '') return refusal('InvalidArgument', 'AccountName');
  // Some endpoints return this instead of an error.
  if (name === forgottenName) return { body: nobody };
  return checked(call, call.parts.accounts.byUsername(name), (account) => account.providerUserId);
}

function login(call: ApiCall): ApiResponse {
  const id = fieldOf(call.json, 'accountId');
  if (!/^[0-9a-f-]{36}$/.test(id)) return refusal('InvalidArgument', 'UUID');
  if (id === nobody) return { body: nobody };
  const { accounts, grants } = call.parts;
  return checked(call, accounts.byProviderUserId(id), (account) => {
    const { accessToken } = grants.grant({ clientId: 'share', providerUserId: account.providerUserId, scopes: [] });
    recordLogin(call.parts, account);
    const session = uuidOf(accessToken);
    call.parts.memory.set(`session ${session}`, accessToken);
    call.parts.save();
    return session;
  });
}

/** The token behind the session in the query. */
export function tokenOfSession({ query, parts }: ApiCall): string | null {
  const token = parts.memory.get(`session ${query.get('sessionId') ?? ''}`);
  return typeof token === 'string' ? token : null;
}

export const loginRoutes: readonly ApiRoute[] = [
  {
    kind: 'authenticate',
    method: 'POST',
    path: `${services}/General/AuthenticatePublisherAccount`,
    auth: 'open',
    hasFaults: true,
    respond: authenticate,
  },
  { kind: 'login', method: 'POST', path: `${services}/General/LoginPublisherAccountById`, auth: 'open', hasFaults: true, respond: login },
];
