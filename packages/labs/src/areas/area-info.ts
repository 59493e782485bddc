import { asc, eq, sql as text } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { getLab, listLabs, type LabRow } from '../catalogue/lab.ts';
import { phlebotomyAreas } from '../model/area-tables.ts';
import { notFound } from '../model/errors.ts';
import { countCenters, findCenters, type CenterCount, type ServiceCenter } from './find-centers.ts';
import { findZipArea } from './zip-area.ts';

export interface PhlebotomyProvider {
  readonly provider: string;
  readonly tiers: readonly string[];
}

export interface AreaInfo {
  readonly providers: readonly PhlebotomyProvider[];
  readonly labs: readonly (CenterCount & { readonly lab: LabRow })[];
}

/** Partners that collect samples in a ZIP code. */
export async function findPhlebotomists({ orm }: Executor, zipCode: string): Promise<readonly PhlebotomyProvider[]> {
  return run(
    orm
      .select({ provider: phlebotomyAreas.provider, tiers: phlebotomyAreas.tiers })
      .from(phlebotomyAreas)
      .where(eq(phlebotomyAreas.zipPrefix, text`left(${zipCode}, length(${phlebotomyAreas.zipPrefix}))`))
      .orderBy(asc(phlebotomyAreas.provider)),
  );
}

/** Services around a ZIP code. `labs` empty: every lab with service centers. An unknown ZIP code has none. */
export async function readAreaInfo(
  executor: Executor,
  area: { readonly zipCode: string; readonly miles: number; readonly labSlugs: readonly string[]; readonly labId: number | null },
): Promise<AreaInfo> {
  const { zipCode, miles, labSlugs, labId } = area;
  const [all, place] = await Promise.all([listLabs(executor), findZipArea(executor, zipCode)]);
  const wanted = all.filter(
    (lab) => lab.hasServiceCenters && (labSlugs.length === 0 || labSlugs.includes(lab.slug)) && (labId === null || lab.labId === labId),
  );
  const none = wanted.map(({ labId: id }) => ({ labId: id, centers: 0, capabilities: [] }));
  const counts =
    place === null
      ? none
      : await countCenters(
          executor,
          wanted.map((lab) => lab.labId),
          { ...place, miles },
        );
  return {
    providers: place === null ? [] : await findPhlebotomists(executor, zipCode),
    labs: wanted.flatMap((lab) => counts.filter((count) => count.labId === lab.labId).map((count) => ({ ...count, lab }))),
  };
}

/** The centers of a lab around a ZIP code. Throws AppError `lab_not_found`, also for a lab that has none. */
export async function readCenters(
  executor: Executor,
  asked: { readonly zipCode: string; readonly labId: number; readonly miles: number; readonly capabilities: readonly string[] },
): Promise<{ readonly lab: LabRow; readonly centers: readonly ServiceCenter[] }> {
  const lab = await getLab(executor, asked.labId);
  if (!lab.hasServiceCenters) throw notFound('lab_not_found', 'The lab has no service centers');
  const place = await findZipArea(executor, asked.zipCode);
  const centers = place === null ? [] : await findCenters(executor, asked.labId, { ...place, miles: asked.miles }, asked.capabilities);
  return { lab, centers };
}
