import { JsonNode } from '../kit/values/json-node.ts';
import { providerError } from '../kit/http/provider-error.ts';

const idPattern = /^[\w-]{1,64}$/;

/** Ids of the patients that the account follows (`/llu/connections`); null when the response is not such a list. */
export function readPatients(body: unknown): readonly string[] | null {
  const list = new JsonNode(body).at('data');
  if (!Array.isArray(list.value)) return null;
  return list.items().flatMap((item) => {
    const id = item.at('patientId').value;
    return typeof id === 'string' && idPattern.test(id) ? [id] : [];
  });
}

/** The only patient that the account follows; null when it follows none yet. Throws `provider_account_state` when there are several. */
export function onlyPatient(body: unknown): string | null {
  const patients = readPatients(body);
  if (patients === null) throw providerError('provider_transient', { reason: 'unknown_shape' });
  // It is ambiguous whose data is meant, and storing another person's data would be worse than storing none.
  if (patients.length > 1) throw providerError('provider_account_state', { reason: 'several_patients' });
  return patients[0] ?? null;
}
