import { writeRenewal } from '../../kit/password/renewal.ts';
import type { LinkedLogin, TokenSet } from '../../kit/types/connector.ts';
import { accountIdOf } from '../libreview.ts';
import type { Standing } from './login.ts';

/** The credentials of a login, and the region where it succeeded. */
export interface Entry {
  readonly email: string;
  readonly password: string;
  readonly place: string | null;
}

export type Inside = Extract<Standing, { kind: 'in' }>;

/** There is no refresh token: the credentials are used for the next login, in half a year. */
export function tokensOf({ email, password }: Entry, { token, expiresAt, userId }: Inside): TokenSet {
  return { accessToken: token, refreshToken: writeRenewal({ email, password }), expiresAt, scopes: null, providerUserId: userId };
}

/** A login whose data is that of this patient; undefined: the account follows nobody yet. */
export function linkedTo(entry: Entry, inside: Inside, patientId: string | undefined): LinkedLogin {
  const place = entry.place === null ? {} : { region: entry.place };
  const patient = patientId === undefined ? {} : { patient_id: patientId };
  return {
    kind: 'linked',
    tokens: tokensOf(entry, inside),
    providerUserId: inside.userId,
    account: { ...place, ...patient, account_id: accountIdOf(inside.userId) },
  };
}
