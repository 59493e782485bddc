import { refusedLogin, unclearLogin } from '../../kit/password/refused.ts';
import type { RefusedLogin } from '../../kit/types/connector.ts';
import type { LoginTry } from './login.ts';

/** Why a login, or one of its steps, failed. `where`: the services that were asked. */
export function refusalOf({ standing, response }: Pick<LoginTry, 'standing' | 'response'>, where: string): RefusedLogin {
  switch (standing.kind) {
    case 'refused':
      return refusedLogin('provider_credential_error', `${where} rejected this e-mail address and password`);
    case 'locked':
      return refusedLogin('provider_credential_error', `${where} has locked the account for ${standing.retryAfterMs / 1000} seconds`);
    case 'elsewhere':
      return refusedLogin('unsupported_region', 'The account belongs to a region that is not supported');
    case 'step':
      if (/password/i.test(standing.step))
        return refusedLogin('provider_password_expired', 'The password has expired; change it in the app first');
      return refusedLogin(
        'provider_credential_error',
        `Action is required: open ${where}, complete the steps that it shows, and link again`,
      );
    case 'in':
    case 'unclear':
      return unclearLogin(where, response);
  }
}
