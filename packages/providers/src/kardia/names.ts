import { createHash } from 'node:crypto';

const hashLength = 40;

function hashOf(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, hashLength);
}

/** Stands for a clinic, without its API key: the callback of a key names it in its address. */
export function clinicOf(apiKey: string): string {
  return hashOf('kardia clinic', apiKey);
}

/** The name in callbacks of a patient, by Kardia's id or by the clinic's own number, which is personal data. */
export function patientName(clinic: string, id: string): string {
  return hashOf('kardia patient', clinic, id);
}

/** The name of all patients of a clinic, for callbacks that name none. */
export function everyoneName(clinic: string): string {
  return `clinic ${clinic}`;
}

/** The account facts of a patient by which callbacks are matched. */
export function namesOf(
  apiKey: string,
  ids: readonly (string | null)[],
): { readonly clinic: string; readonly push_names: readonly string[] } {
  const clinic = clinicOf(apiKey);
  const known = [...new Set(ids.filter((id) => id !== null && id !== ''))];
  return { clinic, push_names: [...known.map((id) => patientName(clinic, id ?? '')), everyoneName(clinic)] };
}
