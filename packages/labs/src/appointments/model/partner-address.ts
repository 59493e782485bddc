import type { PartnerAddress } from '../../partners/partner.ts';
import type { AppointmentAddress } from './appointment.ts';

export function partnerAddress(address: AppointmentAddress): PartnerAddress {
  const { first_line: firstLine, second_line: secondLine, unit, city, state, zip_code: zipCode, access_notes: accessNotes } = address;
  return { firstLine, secondLine: secondLine ?? unit ?? null, city, state, zipCode, accessNotes: accessNotes ?? null };
}
