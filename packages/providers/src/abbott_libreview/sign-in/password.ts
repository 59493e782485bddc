import { contractRegions } from '../../kit/password/contract-regions.ts';
import { passwordField, regionField, usernameField } from '../../kit/password/form.ts';
import { endedRenewal, refusedRenewal, unclearRenewal } from '../../kit/password/refused.ts';
import { readRenewal } from '../../kit/password/renewal.ts';
import type { LoginHttp, PasswordSupport } from '../../kit/types/connector.ts';
import { choosePatient } from './choose-patient.ts';
import { appHeadersOf, placeOf, type LibreviewValues } from '../libreview.ts';
import { linked } from './linked.ts';
import { tokensOf } from './linked-to.ts';
import { logIn } from './login.ts';
import { refusalOf } from './refusal.ts';
import { respondToChallenge, challenge } from './two-factor.ts';

const regionChoices = [
  ['us', 'United States'],
  ['eu', 'Europe'],
  ['de', 'Germany'],
  ['fr', 'France'],
  ['gb', 'United Kingdom'],
  ['ca', 'Canada'],
  ['au', 'Australia'],
] as const;

/** While the user must act in Abbott's app, retrying sooner is useless. */
const waitForUserMs = 6 * 3_600_000;

/** Linking is documented to take up to 60 seconds. */
const loginTimeoutMs = 60_000;

/** The same transport, with the app's headers on every call. */
function asApp(http: LoginHttp, values: LibreviewValues): LoginHttp {
  return { send: (request) => http.send({ ...request, headers: { ...appHeadersOf(values), ...request.headers } }) };
}

/** LibreLinkUp, with LibreView's two-step login. */
export const createLibreviewPassword = (values: LibreviewValues): PasswordSupport => ({
  loginTimeoutMs,
  regions: [...contractRegions, 'jp', 'ru', 'cn'],
  form: [
    usernameField('E-mail address', 'email', 'Of the LibreLinkUp account that follows the sensor.'),
    passwordField,
    regionField(
      'Region',
      regionChoices.map(([value, label]) => ({ value, label })),
      'May be left out.',
    ),
  ],
  async login({ http: plain, username: email, password, region }) {
    const http = asApp(plain, values);
    const tried = await logIn(http, placeOf(region), email, password);
    const { standing, place } = tried;
    if (standing.kind === 'in') return linked(http, { email, password, place }, standing);
    if (standing.kind === 'step' && standing.step === '2faVerify') return challenge(http, { email, password, place }, standing);
    return refusalOf(tried);
  },
  completeMfa: async ({ http, ticket, code }) => choosePatient(ticket, code) ?? respondToChallenge(asApp(http, values), ticket, code),
  async renew({ http, renewal, account }) {
    const { email, password } = readRenewal(renewal, ['email', 'password']);
    const home = account['region'];
    const { standing, place, response } = await logIn(asApp(http, values), typeof home === 'string' ? home : null, email, password);
    switch (standing.kind) {
      case 'in':
        return { outcome: 'refreshed', tokens: tokensOf({ email, password, place }, standing) };
      case 'refused':
        return refusedRenewal;
      case 'locked':
        return { outcome: 'unclear', retryable: true, retryAfterMs: standing.retryAfterMs, reason: 'account_locked' };
      case 'step':
        // Only the user can supply a code or a new password, by linking again.
        if (standing.step === '2faVerify') return endedRenewal('provider_credential_error');
        if (/password/i.test(standing.step)) return endedRenewal('provider_password_expired');
        return { outcome: 'unclear', retryable: true, retryAfterMs: waitForUserMs, reason: 'user_must_act' };
      case 'elsewhere':
      case 'unclear':
        return unclearRenewal(response);
    }
  },
});
