import { isAppError } from '@pulsewire/kernel';
import { textOrNull } from '../kit/records/recorded-by.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import type { ProviderHttp } from '../kit/types/connector.ts';
import { identityRegion } from './google-health.ts';

/**
 * The id of the Google account. It only serves to match a connection of `google_fit`, so no failure stops anything: an imported token may lack
 * the scope although the import names it, and the next reading of the account asks again.
 */
export async function readSubject(http: ProviderHttp): Promise<string | null> {
  try {
    const { body } = await http.get('/v1/userinfo', undefined, { region: identityRegion });
    return textOrNull(new JsonNode(body).at('sub'));
  } catch (error) {
    if (!isAppError(error)) throw error;
    return null;
  }
}
