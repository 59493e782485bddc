import { eq, sql } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { labMarkers, loincCodes } from '../model/catalogue-tables.ts';

/** An analyte of the catalogue, with the names used by labs. */
export interface CatalogueAnalyte {
  readonly loincCode: string;
  readonly loincName: string;
  readonly unit: string | null;
  readonly names: readonly string[];
}

/** Every analyte with a LOINC code. */
export function listAnalytes({ orm }: Executor): Promise<readonly CatalogueAnalyte[]> {
  return run(
    orm
      .select({
        loincCode: loincCodes.code,
        loincName: loincCodes.name,
        unit: loincCodes.unit,
        names: sql<string[]>`coalesce(array_agg(DISTINCT ${labMarkers.name}) FILTER (WHERE ${labMarkers.name} IS NOT NULL), '{}')`,
      })
      .from(loincCodes)
      .leftJoin(labMarkers, eq(labMarkers.loincId, loincCodes.loincId))
      .groupBy(loincCodes.loincId, loincCodes.code, loincCodes.name, loincCodes.unit),
  );
}
