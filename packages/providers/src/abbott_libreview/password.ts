import { contractRegions } from '../kit/password/contract-regions.ts';
import { passwordField, regionField, usernameField } from '../kit/password/form.ts';
import { unclearRenewal } from '../kit/password/refused.ts';
import { readRenewal } from '../kit/password/renewal.ts';
import type { PasswordSupport } from '../kit/types.ts';
import { placeOf } from './libreview.ts';
import { linked, tokensOf } from './linked.ts';
import { logIn } from './login.ts';
import { refusalOf } from './refusal.ts';
import { answerChallenge, challenge } from './two-factor.ts';

const regionChoices = [
  ['us', 'United States'],
  ['eu', 'Europe'],
  ['de', 'Germany'],
  ['fr', 'France'],
  ['gb', 'United Kingdom'],
  ['ca', 'Canada'],
  ['au', 'Australia'],
] as const;

/** While the user has something to do in Abbott's app, asking more often changes nothing. */
const waitForUserMs = 6 * 3_600_000;

/** LibreLinkUp (reference/password-providers 2.1), and the login in two steps of LibreView (2.2). */
export const libreviewPassword: PasswordSupport = {
  regions: [...contractRegions, 'jp', 'ru'],
  form: [
    usernameField('E-mail address', 'email', 'Of the LibreLinkUp account that follows the sensor.'),
    passwordField,
    regionField(
      'Region',
      regionChoices.map(([value, label]) => ({ value, label })),
      'May be left out.',
    ),
  ],
  async login({ http, username: email, password, region }) {
    const tried = await logIn(http, placeOf(region), email, password);
    const { standing, place } = tried;
    if (standing.kind === 'in') return linked(http, { email, password, place }, standing);
    if (standing.kind === 'step' && standing.step === '2faVerify') return challenge(http, { email, password, place }, standing);
    return refusalOf(tried);
  },
  completeMfa: ({ http, ticket, code }) => answerChallenge(http, ticket, code),
  async renew({ http, renewal, account }) {
    const { email, password } = readRenewal(renewal, ['email', 'password']);
    const home = account['region'];
    const { standing, place, answer } = await logIn(http, typeof home === 'string' ? home : null, email, password);
    switch (standing.kind) {
      case 'in':
        return { outcome: 'refreshed', tokens: tokensOf({ email, password, place }, standing) };
      case 'refused':
        return { outcome: 'revoked' };
      case 'locked':
        return { outcome: 'unclear', retryable: true, retryAfterMs: standing.retryAfterMs, reason: 'account_locked' };
      case 'step':
        // A code, or a new password, can only come from the user, by linking again.
        if (standing.step === '2faVerify' || /password/i.test(standing.step)) return { outcome: 'revoked' };
        return { outcome: 'unclear', retryable: true, retryAfterMs: waitForUserMs, reason: 'user_must_act' };
      case 'elsewhere':
      case 'unclear':
        return unclearRenewal(answer);
    }
  },
};
