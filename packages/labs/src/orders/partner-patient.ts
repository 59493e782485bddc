import type { PartnerPatient } from '../partners/partner.ts';

/** The patient of an order as partners receive it. */
export function partnerPatient(patient: Readonly<Record<string, unknown>>): PartnerPatient {
  const text = (key: string): string => {
    const value = patient[key];
    return typeof value === 'string' ? value : '';
  };
  return {
    firstName: text('first_name'),
    lastName: text('last_name'),
    birthDate: text('dob').slice(0, 10),
    gender: text('gender'),
    phoneNumber: text('phone_number'),
    email: text('email'),
  };
}
