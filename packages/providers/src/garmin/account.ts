import { isAppError } from '@pulsewire/kernel';
import { JsonNode } from '../kit/values/json-node.ts';
import type { AccountContext, AccountFacts, ProviderHttp } from '../kit/types/connector.ts';

/** The same calls have been observed under both paths. */
const places = ['/partner-gateway/rest/user', '/wellness-api/rest/user'] as const;

async function readUser(http: ProviderHttp, what: 'id' | 'permissions'): Promise<JsonNode> {
  try {
    return new JsonNode((await http.get(`${places[0]}/${what}`)).body);
  } catch (error) {
    if (!isAppError(error) || error.details['status'] !== 404) throw error;
    return new JsonNode((await http.get(`${places[1]}/${what}`)).body);
  }
}

/** Parses a list of permissions, bare or under `permissions`; null for anything else. */
function permissionsIn(response: JsonNode): readonly string[] | null {
  const list = Array.isArray(response.value) ? response.value : response.at('permissions').value;
  return Array.isArray(list) ? list.filter((item): item is string => typeof item === 'string') : null;
}

/** Reads the user's id, once, and their permissions: Garmin has these instead of scopes, and they can change at any time. */
export async function readGarminAccount({ http, providerUserId, previous = {} }: AccountContext): Promise<AccountFacts> {
  const userId = providerUserId ?? (await readUser(http, 'id')).at('userId').optional((node) => node.id());
  const permissions = permissionsIn(await readUser(http, 'permissions'));
  return {
    providerUserId: userId,
    account: { ...previous, ...(permissions !== null && { permissions }) },
    ...(permissions !== null && { grantedScopes: permissions }),
  };
}
