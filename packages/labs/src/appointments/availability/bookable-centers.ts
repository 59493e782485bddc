import { findCentersByCode } from '../../areas/centers-by-code.ts';
import type { ServiceCenter } from '../../areas/find-centers.ts';
import { readCenters } from '../../areas/area-info.ts';
import { findLabBySlug } from '../../catalogue/lab.ts';
import type { LabsContext } from '../../context/context.ts';
import { notFound, refused } from '../../model/errors.ts';

/** Most centers in one request. */
const centersMax = 3;

export type BookableCenter = Omit<ServiceCenter, 'miles'> & { readonly miles: number | null };

export interface CenterChoice {
  /** Slug of the lab; its partner has the same slug. */
  readonly lab: string;
  readonly siteCodes: readonly string[];
  readonly zipCode: string | null;
  readonly miles: number;
}

/** The named centers, or the nearest ones that accept appointments. Throws AppErrors of kinds `invalid` and `not_found`. */
export async function bookableCenters({ database }: LabsContext, choice: CenterChoice): Promise<readonly BookableCenter[]> {
  const { siteCodes, zipCode, miles } = choice;
  const lab = await findLabBySlug(database, choice.lab);
  if (!lab) throw notFound('lab_not_found', 'Lab not found');
  if (siteCodes.length > centersMax) throw refused('site_codes_too_many', `At most ${centersMax} site_codes are allowed`);
  if (siteCodes.length > 0) {
    const found = await findCentersByCode(database, lab.labId, [...new Set(siteCodes)]);
    const missing = siteCodes.filter((code) => !found.some((center) => center.siteCode === code));
    if (missing.length > 0) throw refused('site_code_unknown', 'A site code is unknown, or its center is closed');
    return found.map((center) => ({ ...center, miles: null }));
  }
  if (zipCode === null) throw refused('center_missing', 'site_codes or zip_code must be given');
  const capabilities = ['appointment_scheduling_via_junction'];
  const { centers } = await readCenters(database, { zipCode, labId: lab.labId, miles, capabilities });
  return centers.slice(0, centersMax);
}
