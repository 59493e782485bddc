import { contractRegions } from '../kit/password/contract-regions.ts';
import { passwordField, regionField, usernameField } from '../kit/password/form.ts';
import { refusedLogin, refusedRenewal, unclearLogin, unclearRenewal } from '../kit/password/refused.ts';
import { readRenewal, writeRenewal } from '../kit/password/renewal.ts';
import type { PasswordSupport, RefusedLogin, TokenSet } from '../kit/types/connector.ts';
import { placeOf, type DexcomValues } from './dexcom.ts';
import { isCredentialRefusal, lockedCode, readCode } from './error-code.ts';
import { findAccount, openSession, type Step } from './sessions.ts';

type Failed = Extract<Step, { readonly id: null }>;

/** It is not documented how long too many attempts lock an account. */
const lockedRetryMs = 3_600_000;

const isRefused = ({ isNobody, response }: Failed) => isNobody || isCredentialRefusal(response.body);
const isLocked = ({ response }: Failed) => readCode(response.body)?.code === lockedCode;

function refusalOf(failed: Failed): RefusedLogin {
  if (isRefused(failed))
    return refusedLogin(
      'provider_credential_error',
      'Dexcom rejected this user name and password, or the account belongs to another region',
    );
  if (isLocked(failed)) return refusedLogin('provider_credential_error', 'Dexcom has locked the account after too many attempts');
  return unclearLogin('Dexcom', failed.response);
}

// The lifetime of a session is not documented: it is renewed when a call reports that it has expired.
function tokensOf(sessionId: string, accountId: string, password: string): TokenSet {
  const refreshToken = writeRenewal({ accountId, password });
  return { accessToken: sessionId, refreshToken, expiresAt: null, scopes: null, providerUserId: accountId };
}

/** The wearer's login to Dexcom Share: user name to account id, account id to session. There is no verification code. */
export const createDexcomPassword = (values: DexcomValues): PasswordSupport => ({
  regions: [...contractRegions, 'jp'],
  form: [
    usernameField(
      'Dexcom user name',
      'text',
      'User name, e-mail address, or phone number as +<country><number>. Of the wearer, not of a follower.',
    ),
    passwordField,
    regionField('Region', [
      { value: 'us', label: 'United States' },
      { value: 'eu', label: 'Outside of the United States' },
      { value: 'jp', label: 'Japan' },
    ]),
  ],
  async login({ http, username, password, region }) {
    const place = placeOf(region);
    const found = await findAccount({ http, place, values }, username, password);
    if (found.id === null) return refusalOf(found);
    const session = await openSession({ http, place, values }, found.id, password);
    if (session.id === null) return refusalOf(session);
    return { kind: 'linked', tokens: tokensOf(session.id, found.id, password), providerUserId: found.id, account: { region: place } };
  },
  async renew({ http, renewal, account }) {
    const { accountId, password } = readRenewal(renewal, ['accountId', 'password']);
    const region = typeof account['region'] === 'string' ? account['region'] : null;
    const session = await openSession({ http, place: placeOf(region), values }, accountId, password);
    if (session.id !== null) return { outcome: 'refreshed', tokens: tokensOf(session.id, accountId, password) };
    if (isRefused(session)) return refusedRenewal;
    if (isLocked(session)) return { outcome: 'unclear', retryable: true, retryAfterMs: lockedRetryMs, reason: 'account_locked' };
    return unclearRenewal(session.response);
  },
});
