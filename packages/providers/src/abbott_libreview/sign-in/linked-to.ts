import { writeRenewal } from '../../kit/password/renewal.ts';
import type { LinkedLogin, TokenSet } from '../../kit/types/connector.ts';
import { accountIdOf, planningZone } from '../libreview.ts';
import type { AccountKind, Standing } from './login.ts';

/** The credentials of a login, and the region where it succeeded. */
export interface Entry {
  readonly kind: AccountKind;
  readonly email: string;
  readonly password: string;
  readonly place: string | null;
}

export type Inside = Extract<Standing, { kind: 'in' }>;

/**
 * There is no refresh token: the credentials are used for the next login, in half a year. The token of a patient renews itself while it is
 * valid, which needs no code.
 */
export function tokensOf({ kind, email, password }: Entry, { token, expiresAt, userId }: Inside): TokenSet {
  const refreshToken = writeRenewal({ email, password, ...(kind === 'patient' && { token }) });
  return { accessToken: token, refreshToken, expiresAt, scopes: null, providerUserId: userId };
}

const placeOf = ({ place }: Entry) => (place === null ? {} : { region: place });

/** A login whose data is that of this patient; undefined: the account follows nobody yet. */
export function linkedTo(entry: Entry, inside: Inside, patientId: string | undefined): LinkedLogin {
  const patient = patientId === undefined ? {} : { patient_id: patientId };
  return {
    kind: 'linked',
    tokens: tokensOf(entry, inside),
    providerUserId: inside.userId,
    account: { ...placeOf(entry), ...patient, account_id: accountIdOf(inside.userId) },
  };
}

/** A patient, who reads their own data. */
export function linkedSelf(entry: Entry, inside: Inside): LinkedLogin {
  return {
    kind: 'linked',
    tokens: tokensOf(entry, inside),
    providerUserId: inside.userId,
    account: { ...placeOf(entry), account_type: 'patient', patient_id: inside.userId, time_zone: planningZone },
  };
}
