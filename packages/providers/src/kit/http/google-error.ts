import { JsonNode } from '../values/json-node.ts';
import type { ProviderVerdict } from '../types/http.ts';

/** The machine-readable reasons in the details of an error of Google's APIs; some errors have none. */
export function googleReasons(body: unknown): readonly string[] {
  const details = new JsonNode(body).at('error').at('details').value;
  if (!Array.isArray(details)) return [];
  return details.slice(0, 20).flatMap((detail: unknown) => {
    const reason = new JsonNode(detail).at('reason').value;
    return typeof reason === 'string' ? [reason] : [];
  });
}

const faults: ReadonlyMap<string, string> = new Map([
  ['SERVICE_DISABLED', 'service_disabled'],
  ['USER_PROJECT_DENIED', 'user_project_denied'],
]);

/** The API is not enabled in the operator's project, or the project may not be used; null for any other refusal. */
export function googleProjectFault(body: unknown): ProviderVerdict | null {
  const [reason] = googleReasons(body).flatMap((word) => faults.get(word) ?? []);
  return reason === undefined ? null : { code: 'provider_configuration', details: { reason } };
}
