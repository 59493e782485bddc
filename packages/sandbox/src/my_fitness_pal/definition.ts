import { passwordCapabilities } from '../kit/definition/capabilities.ts';
import type { ApiResponse, SimulatorDefinition } from '../kit/definition/definition.ts';
import { withBrokenItem } from '../kit/http/malformed.ts';
import type { RefusalError } from '../kit/parts/refusal.ts';
import { hash32 } from '../model/seeded.ts';
import { dayRoutes } from './account-days.ts';
import { syncRoute } from './account-sync.ts';
import { tokenRoute } from './account-tokens.ts';
import { challenge, diaryKeyRoute } from './diary-key.ts';

/** The protection in front of the site refuses too many requests with a page; the phone's servers refuse in JSON. */
function refuse({ reason, status, message }: RefusalError): ApiResponse {
  if (reason === 'rate_limited') return challenge(429);
  if (reason === 'grant_invalid') return { status: 400, body: { error: 'invalid_grant', error_description: message } };
  const named = /^([a-z]+-[a-z-]+): (.*)$/.exec(message);
  const words: Readonly<Record<string, string>> = {
    token_invalid: 'invalid_token',
    token_expired: 'invalid_token',
    server_error: 'internal',
  };
  return { status, body: { error: named?.[1] ?? words[reason] ?? 'failed-validation', error_description: named?.[2] ?? message } };
}

/**
 * MyFitnessPal's site and phone servers, from open clients. The password is both the key that a diary is shared with, for the report
 * of the site, and the account's own, for the tokens of the phone's servers.
 */
export const myFitnessPalDefinition: SimulatorDefinition = {
  slug: 'my_fitness_pal',
  capabilities: {
    ...passwordCapabilities,
    deletes: { workout: ['workouts'] },
    // Until the meals of the next day.
    newDataMinutes: 24 * 60,
  },
  providerUserId: (name) =>
    `23${String(hash32(`phone ${name}`))
      .padStart(11, '0')
      .slice(-11)}`,
  routes: [diaryKeyRoute, tokenRoute, syncRoute, ...dayRoutes],
  refuse,
  // Days of the report, and the entries of the phone's lists.
  breakItem: (body) => withBrokenItem(body),
};
