import { JsonNode } from '../kit/values/json-node.ts';
import { providerError } from '../kit/http/provider-error.ts';

const idPattern = /^[\w-]{1,64}$/;

/** A person whom an account follows. */
export interface Followed {
  readonly id: string;
  /** For the choice among several; never stored. */
  readonly name: string | null;
}

const nameLengthMax = 80;

function nameOf(item: JsonNode): string | null {
  const parts = ['firstName', 'lastName'].map((key) => item.at(key).value).filter((part) => typeof part === 'string');
  const name = parts
    .join(' ')
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim();
  return name === '' ? null : name.slice(0, nameLengthMax);
}

/** The people whom the account follows (`/llu/connections`); null when the response is not such a list. */
export function readFollowed(body: unknown): readonly Followed[] | null {
  const list = new JsonNode(body).at('data');
  if (!Array.isArray(list.value)) return null;
  return list.items().flatMap((item) => {
    const id = item.at('patientId').value;
    return typeof id === 'string' && idPattern.test(id) ? [{ id, name: nameOf(item) }] : [];
  });
}

/** The only patient that the account follows; null when it follows none yet. Throws `provider_account_state` when there are several. */
export function onlyPatient(body: unknown): string | null {
  const patients = readFollowed(body);
  if (patients === null) throw providerError('provider_transient', { reason: 'unknown_shape' });
  // It is ambiguous whose data is meant, and storing another person's data would be worse than storing none.
  if (patients.length > 1) throw providerError('provider_account_state', { reason: 'several_patients' });
  return patients[0]?.id ?? null;
}
