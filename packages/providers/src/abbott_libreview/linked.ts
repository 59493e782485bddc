import { refusedLogin, unclearLogin } from '../kit/password/refused.ts';
import { writeRenewal } from '../kit/password/renewal.ts';
import type { LoginHttp, LoginOutcome, TokenSet } from '../kit/types/connector.ts';
import { accountIdOf } from './libreview.ts';
import type { Standing } from './login.ts';
import { readPatients } from './patients.ts';

/** The credentials of a login, and the region where it succeeded. */
export interface Entry {
  readonly email: string;
  readonly password: string;
  readonly place: string | null;
}

type Inside = Extract<Standing, { kind: 'in' }>;

/** There is no refresh token: the credentials are used for the next login, in half a year. */
export function tokensOf({ email, password }: Entry, { token, expiresAt, userId }: Inside): TokenSet {
  return { accessToken: token, refreshToken: writeRenewal({ email, password }), expiresAt, scopes: null, providerUserId: userId };
}

/** Completes a login: the first call with the token checks that it works and determines whose data it reads. */
export async function linked(http: LoginHttp, entry: Entry, inside: Inside): Promise<LoginOutcome> {
  const accountId = accountIdOf(inside.userId);
  const headers = { authorization: `Bearer ${inside.token}`, 'account-id': accountId };
  const answer = await http.send({ method: 'GET', path: '/llu/connections', region: entry.place, headers });
  const patients = answer.status === 200 ? readPatients(answer.body) : null;
  if (patients === null) return unclearLogin('LibreLinkUp', answer);
  if (patients.length > 1)
    return refusedLogin('provider_credential_error', 'This account follows several people: link with one that follows only its own sensor');
  const place = entry.place === null ? {} : { region: entry.place };
  const patient = patients[0] === undefined ? {} : { patient_id: patients[0] };
  return {
    kind: 'linked',
    tokens: tokensOf(entry, inside),
    providerUserId: inside.userId,
    account: { ...place, ...patient, account_id: accountId },
  };
}
