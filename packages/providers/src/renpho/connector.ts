import { hourMs } from '@pulsewire/kernel';
import { classifyByStatus, passwordDefaults, addressesWithoutOAuth, withoutScopes } from '../kit/connector-defaults.ts';
import { configurable } from '../kit/settings.ts';
import type { JudgedResponse, ProviderVerdict } from '../kit/types/connector.ts';
import { failureCode } from './envelope.ts';
import { createRenphoPassword } from './password.ts';
import { createPulls, historyDays } from './pulls.ts';
import { appHeadersOf, renphoSettings, renphoSlug, renphoSourceId } from './renpho.ts';

const tokenCodes = new Set([401, 403]);

/** Most errors come with status 200 and are identified by `code`. */
export function findRenphoRefusal({ body }: Pick<JudgedResponse, 'body'>): ProviderVerdict | null {
  const code = failureCode(body);
  if (code === null) return null;
  if (tokenCodes.has(code)) return { code: 'provider_token_expired' };
  return { code: code === 429 ? 'provider_rate_limited' : 'provider_transient' };
}

function classifyRenpho(response: JudgedResponse): ProviderVerdict {
  return tokenCodes.has(response.status) ? { code: 'provider_token_expired' } : classifyByStatus(response);
}

export const renpho = configurable(renphoSettings, (values) => ({
  ...passwordDefaults,
  slug: renphoSlug,
  name: 'Renpho',
  description: 'Scales and measuring tapes',
  sourceId: renphoSourceId,
  endpoints: addressesWithoutOAuth('https://cloud.renpho.com'),
  password: createRenphoPassword(values),
  resources: withoutScopes('profile', 'body', 'weight', 'fat', 'body_mass_index', 'lean_body_mass', 'heartrate', 'waist_circumference'),
  backfillDays: historyDays,
  pulls: createPulls(values),
  // Sessions end within the hour, and each login may log the phone out.
  pollEveryMs: 3 * hourMs,
  authorize: (token, account) => ({
    headers: { ...appHeadersOf(values), token, userId: typeof account['user_id'] === 'string' ? account['user_id'] : '' },
  }),
  classify: classifyRenpho,
  findRefusal: findRenphoRefusal,
}));
