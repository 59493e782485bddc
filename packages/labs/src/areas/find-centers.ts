import { plainArray, textArray, type Executor } from '@pulsewire/database';
import { boxOf, milesFrom, type Circle } from './distance.ts';

/** Most centers in one response. */
const centersMax = 30;

export interface ServiceCenter {
  readonly siteCode: string;
  readonly name: string;
  readonly firstLine: string;
  readonly secondLine: string | null;
  readonly city: string;
  readonly state: string;
  readonly zipCode: string;
  readonly phoneNumber: string | null;
  readonly faxNumber: string | null;
  readonly website: string | null;
  readonly hours: Readonly<Record<string, string>> | null;
  readonly lat: number;
  readonly lng: number;
  readonly ianaTimezone: string;
  readonly capabilities: readonly string[];
  readonly billTypes: readonly string[];
  /** Miles from the centre of the circle. */
  readonly miles: number;
}

/** The nearest active centers of a lab within a circle that have every named capability; at most 30. */
export async function findCenters(
  { sql }: Executor,
  labId: number,
  circle: Circle,
  capabilities: readonly string[],
): Promise<readonly ServiceCenter[]> {
  const { south, north, west, east } = boxOf(circle);
  return sql<ServiceCenter[]>`
    SELECT site_code AS "siteCode", name, first_line AS "firstLine", second_line AS "secondLine", city, state, zip_code AS "zipCode",
      phone_number AS "phoneNumber", fax_number AS "faxNumber", website, hours, lat, lng, iana_timezone AS "ianaTimezone", capabilities,
      bill_types AS "billTypes", miles
    FROM (
      SELECT c.*, ${milesFrom(sql, circle)} AS miles FROM lab_service_centers c
      WHERE c.is_active AND c.lab_id = ${labId} AND c.lat BETWEEN ${south} AND ${north} AND c.lng BETWEEN ${west} AND ${east}
        AND c.capabilities @> ${textArray(capabilities)}::text[]
    ) near
    WHERE miles <= ${circle.miles}
    ORDER BY miles, site_code LIMIT ${centersMax}`;
}

export interface CenterCount {
  readonly labId: number;
  readonly centers: number;
  readonly capabilities: readonly string[];
}

/** The number of active centers of each lab within a circle, and the capabilities that any of them has. */
export async function countCenters({ sql }: Executor, labIds: readonly number[], circle: Circle): Promise<readonly CenterCount[]> {
  const { south, north, west, east } = boxOf(circle);
  return sql<CenterCount[]>`
    WITH near AS (
      SELECT c.lab_id, c.capabilities, count(*) AS centers FROM lab_service_centers c
      WHERE c.is_active AND c.lab_id = ANY(${plainArray(labIds)}::int[]) AND c.lat BETWEEN ${south} AND ${north} AND c.lng BETWEEN ${west} AND ${east}
        AND ${milesFrom(sql, circle)} <= ${circle.miles}
      GROUP BY c.lab_id, c.capabilities
    )
    SELECT l.lab_id AS "labId", coalesce((SELECT sum(n.centers) FROM near n WHERE n.lab_id = l.lab_id), 0)::int AS centers,
      array(SELECT DISTINCT unnest(n.capabilities) FROM near n WHERE n.lab_id = l.lab_id ORDER BY 1) AS capabilities
    FROM unnest(${plainArray(labIds)}::int[]) AS l(lab_id) ORDER BY l.lab_id`;
}
