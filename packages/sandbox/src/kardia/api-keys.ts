import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { Pair } from '../kit/accounts/grants.ts';
import { hasChangedPassword, noteLogin } from '../kit/definition/changed-password.ts';
import type { ApiCall, ApiResponse, ApiRoute } from '../kit/definition/definition.ts';
import { uuidOf } from '../kit/person/uuid-of.ts';
import { Refusal } from '../kit/parts/refusal.ts';

const clientId = 'kardia-pro';

/** A clinic's API key, and the kit's tokens behind it. */
interface Key {
  readonly name: string;
  readonly accessToken: string;
  readonly refreshToken: string | null;
}

const keyOf = (apiKey: string) => `key ${apiKey}`;
const stored = (name: string, { accessToken, refreshToken }: Pair): Key => ({ name, accessToken, refreshToken });

/** An account exists only in its region. */
const livesHere = ({ path }: ApiCall, { region }: SimAccount) => path.startsWith('/eu/') === (region === 'eu');

function issueKey(call: ApiCall): ApiResponse {
  const { form, parts } = call;
  const account = parts.accounts.byUsername(form.get('email') ?? '');
  const isRight = account?.password === form.get('password') && account !== undefined && livesHere(call, account);
  if (!isRight || hasChangedPassword(parts, account)) throw new Refusal('token_invalid', 'Unauthorized');
  const pair = parts.grants.grant({ clientId, providerUserId: account.providerUserId, scopes: [] });
  const apiKey = uuidOf(pair.accessToken);
  parts.memory.set(keyOf(apiKey), stored(account.name, pair));
  noteLogin(parts, account);
  parts.save();
  return { body: { apiKey } };
}

/** Some clinics need their password beside the key, which one client sends; the reference documents an empty one. */
export const needsPassword = ({ person }: SimAccount): boolean => person.sex === 'male';

/** For the kit: its token behind the key in `Authorization: Basic`. Keys do not expire, so that an expired token is replaced. */
export function readApiKey(call: ApiCall): string | null {
  const { headers, parts } = call;
  const encoded = /^Basic (\S+)$/.exec(String(headers['authorization'] ?? ''))?.[1] ?? '';
  const [apiKey = '', ...rest] = Buffer.from(encoded, 'base64').toString().split(':');
  const key = parts.memory.get(keyOf(apiKey)) as Key | undefined;
  const account = key && parts.accounts.byName(key.name);
  if (!key || !account || rest.length === 0 || !livesHere(call, account)) return null;
  if (rest.join(':') !== (needsPassword(account) ? account.password : '')) return null;
  const expiresAtMs = parts.grants.lifetime(key.accessToken)?.expiresAtMs ?? 0;
  if (parts.clock.wallMs() < expiresAtMs || key.refreshToken === null) return key.accessToken;
  const renewed = stored(key.name, parts.grants.refresh(key.refreshToken, clientId));
  parts.memory.set(keyOf(apiKey), renewed);
  parts.save();
  return renewed.accessToken;
}

export const apiKeyRoute: ApiRoute = {
  kind: 'apikey',
  method: 'POST',
  path: '/v1/apikey',
  auth: 'open',
  hasFaults: true,
  respond: issueKey,
};
