import type { SimAccount } from '../kit/accounts/accounts.ts';
import type { Pair } from '../kit/accounts/grants.ts';
import { hasChangedPassword, recordLogin } from '../kit/definition/changed-password.ts';
import type { ApiCall } from '../kit/definition/definition.ts';

const clientId = 'kardia-pro';

/** The kit's tokens behind a clinic's API key. */
interface Session {
  readonly accessToken: string;
  readonly refreshToken: string | null;
}

const keyOf = ({ name }: SimAccount) => `session ${name}`;
const stored = ({ accessToken, refreshToken }: Pair): Session => ({ accessToken, refreshToken });

/** Clinics exist only in their region. */
const livesHere = ({ path }: ApiCall, { region }: SimAccount) => path.startsWith('/eu/') === (region === 'eu');

/** The key in `Authorization: Basic`, whose password is empty; null for anything else. */
function readKey({ headers }: ApiCall): string | null {
  const encoded = /^Basic (\S+)$/.exec(String(headers['authorization'] ?? ''))?.[1] ?? '';
  const text = Buffer.from(encoded, 'base64').toString();
  return text.length > 1 && text.indexOf(':') === text.length - 1 ? text.slice(0, -1) : null;
}

/**
 * For the kit: its token behind a clinic's key, which is the password of the account. Keys do not expire, so that an expired token is
 * replaced; a clinic may replace its key.
 */
export function readApiKey(call: ApiCall): string | null {
  const { parts } = call;
  const key = readKey(call);
  const account = parts.accounts.list().find(({ password }) => password === key);
  if (!account || !livesHere(call, account) || hasChangedPassword(parts, account)) return null;
  const known = parts.memory.get(keyOf(account)) as Session | undefined;
  const expiresAtMs = parts.grants.lifetime(known?.accessToken ?? '')?.expiresAtMs ?? 0;
  if (known && parts.clock.wallMs() < expiresAtMs) return known.accessToken;
  const isEnded = known?.refreshToken === undefined || known.refreshToken === null;
  const pair = isEnded
    ? parts.grants.grant({ clientId, providerUserId: account.providerUserId, scopes: [] })
    : parts.grants.refresh(known.refreshToken, clientId);
  parts.memory.set(keyOf(account), stored(pair));
  recordLogin(parts, account);
  parts.save();
  return pair.accessToken;
}
