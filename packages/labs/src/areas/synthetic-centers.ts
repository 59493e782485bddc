import { eq } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import { labServiceCenters, phlebotomyAreas } from '../model/area-tables.ts';

const visited = [
  ...['85', '90', '100'].map((zipPrefix) => ({ provider: 'getlabs', zipPrefix, tiers: ['appointment-ready'] })),
  ...['85', '54', '60'].map((zipPrefix) => ({ provider: 'phlebfinders', zipPrefix, tiers: ['appointment-request'] })),
];

/**
 * Creates synthetic service centers in every twelfth ZIP area for each lab that has centers. Names and addresses show this; telephone
 * numbers are fictional. Replaces earlier synthetic centers; imported ones stay. The areas served by simulated phlebotomists are synthetic
 * too.
 */
export async function loadSyntheticCenters({ sql, orm }: Tx): Promise<void> {
  await run(orm.delete(labServiceCenters).where(eq(labServiceCenters.origin, 'synthetic')));
  await sql`
    INSERT INTO lab_service_centers (lab_id, site_code, name, first_line, second_line, city, state, zip_code, phone_number, fax_number,
      website, hours, lat, lng, iana_timezone, capabilities, bill_types, is_active, origin)
    SELECT l.lab_id, upper(left(replace(l.slug, '_', ''), 3)) || z.zip_code, upper(replace(l.slug, '_', ' ')) || ' (SYNTHETIC)',
      (100 + z.n % 900) || ' Example St', NULL, 'Sampletown', CASE WHEN z.zip_code LIKE '8[56]%' THEN 'AZ' ELSE 'NA' END, z.zip_code,
      '555-01' || lpad((z.n % 100)::text, 2, '0'), NULL, NULL, NULL, z.lat, z.lng, z.iana_timezone,
      CASE WHEN z.n % 3 = 0 THEN ARRAY['stat'] ELSE '{}' END
        || CASE WHEN l.slug IN ('quest', 'sonora_quest') THEN ARRAY['appointment_scheduling_via_junction'] ELSE ARRAY['appointment_scheduling_with_lab'] END,
      l.bill_types, true, 'synthetic'
    FROM labs l
    JOIN (SELECT a.*, row_number() OVER (ORDER BY zip_code) AS n FROM zip_areas a) z
      ON z.n % 12 = l.lab_id % 12 AND (l.slug <> 'sonora_quest' OR z.zip_code LIKE '85%' OR z.zip_code LIKE '86%')
    WHERE l.has_service_centers
    ON CONFLICT DO NOTHING`;
  await run(orm.insert(phlebotomyAreas).values(visited).onConflictDoNothing());
}
