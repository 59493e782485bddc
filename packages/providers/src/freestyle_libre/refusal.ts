import { refusedLogin, unclearLogin } from '../kit/password/refused.ts';
import type { RefusedLogin } from '../kit/types/connector.ts';
import type { PracticeLogin } from './practice-login.ts';

/** Why the login of the practice failed, for the operator who confirms. */
export function refusalOf({ standing, response }: PracticeLogin): RefusedLogin {
  switch (standing.kind) {
    case 'refused':
      return refusedLogin('provider_credential_error', "LibreView rejected the practice's e-mail address and password");
    case 'locked':
      return refusedLogin('provider_api_error', `LibreView has locked the practice's account for ${standing.retryAfterMs / 1000} seconds`);
    case 'elsewhere':
      return refusedLogin('unsupported_region', "The practice's account belongs to an unknown region");
    case 'step':
      if (standing.step === '2faVerify')
        return refusedLogin(
          'provider_credential_error',
          "LibreView asks the practice for a code. Nobody is there to type it in: the practice's account must let in without one",
        );
      if (/password/i.test(standing.step))
        return refusedLogin('provider_password_expired', "The practice's password has expired; change it in LibreView first");
      return refusedLogin(
        'provider_credential_error',
        'LibreView waits for the practice: log in to it, finish what it asks, and confirm again',
      );
    case 'in':
    case 'unclear':
      return unclearLogin('LibreView', response);
  }
}
