import { textArray, type Executor } from '@pulsewire/database';
import type { ServiceCenter } from './find-centers.ts';

/** The active centers of a lab with these site codes, in this order. They have no distance. */
export async function findCentersByCode(
  { sql }: Executor,
  labId: number,
  siteCodes: readonly string[],
): Promise<readonly Omit<ServiceCenter, 'miles'>[]> {
  return sql<Omit<ServiceCenter, 'miles'>[]>`
    SELECT site_code AS "siteCode", name, first_line AS "firstLine", second_line AS "secondLine", city, state, zip_code AS "zipCode",
      phone_number AS "phoneNumber", fax_number AS "faxNumber", website, hours, lat, lng, iana_timezone AS "ianaTimezone", capabilities,
      bill_types AS "billTypes"
    FROM lab_service_centers c JOIN unnest(${textArray(siteCodes)}::text[]) WITH ORDINALITY AS asked(code, position) ON c.site_code = asked.code
    WHERE c.is_active AND c.lab_id = ${labId} ORDER BY asked.position`;
}
