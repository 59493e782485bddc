import { JsonNode } from '../kit/values/json-node.ts';
import type { AccountContext, AccountFacts } from '../kit/types/connector.ts';

/** Google Fit has no profile and no time zone: the only fact is the id of the Google account, from OpenID Connect. */
export async function readGoogleFitAccount({ http, providerUserId = null, previous = {} }: AccountContext): Promise<AccountFacts> {
  if (providerUserId !== null) return { providerUserId, account: { ...previous } };
  const { body } = await http.get('/oauth2/v3/userinfo');
  return { providerUserId: new JsonNode(body).at('sub').optional((node) => node.id()), account: { ...previous } };
}
