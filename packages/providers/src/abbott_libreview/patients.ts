import { JsonNode } from '../kit/values/json-node.ts';
import { providerError } from '../kit/http/provider-error.ts';

const idPattern = /^[\w-]{1,64}$/;

/** Ids of the people whom the account follows (`/llu/connections`); null when the answer is not such a list. */
export function readPatients(body: unknown): readonly string[] | null {
  const list = new JsonNode(body).at('data');
  if (!Array.isArray(list.value)) return null;
  return list.items().flatMap((item) => {
    const id = item.at('patientId').value;
    return typeof id === 'string' && idPattern.test(id) ? [id] : [];
  });
}

/** The one whom the account follows, null when it follows nobody yet. Throws `provider_account_state` when there are several. */
export function onlyPatient(body: unknown): string | null {
  const patients = readPatients(body);
  if (patients === null) throw providerError('provider_transient', { reason: 'unknown_shape' });
  // Whose data are meant nobody can tell; to store another person's would be worse than none.
  if (patients.length > 1) throw providerError('provider_account_state', { reason: 'several_patients' });
  return patients[0] ?? null;
}
