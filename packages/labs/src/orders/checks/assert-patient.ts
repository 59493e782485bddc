import type { LabTeam } from '../../context/context.ts';
import { refused } from '../../model/errors.ts';

/** Whether someone born on this day is younger than eighteen on the day `today`. */
export function isMinor(birthDate: string, today: string): boolean {
  const year = Number(birthDate.slice(0, 4)) + 18;
  return today < `${String(year).padStart(4, '0')}${birthDate.slice(4)}`;
}

/** `today`: the day at the patient's address. Throws AppErrors of kind `invalid`. */
export function assertPatient(
  team: LabTeam,
  patient: { readonly dob: string; readonly medical_proxy?: unknown; readonly phone_number: string },
  today: string,
): void {
  const digits = patient.phone_number.replaceAll(/\D/g, '').replace(/^1(?=\d{10}$)/, '');
  if (digits.length !== 10 || /^[01]/.test(digits))
    throw refused('phone_number_unusable', 'phone_number is not a telephone number of the United States');
  if (patient.dob > today) throw refused('birth_date_in_future', 'dob is in the future');
  if (!isMinor(patient.dob, today)) return;
  if (!team.minorOrdering) throw refused('patient_is_minor', 'The team may not order for patients under 18');
  if (!patient.medical_proxy) throw refused('medical_proxy_missing', 'Patients under 18 require a medical_proxy');
}
