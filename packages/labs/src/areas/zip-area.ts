import { eq } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { zipAreas } from '../model/area-tables.ts';

export interface ZipArea {
  readonly lat: number;
  readonly lng: number;
  readonly ianaTimezone: string;
}

/** Where a ZIP code, or the first part of a ZIP+4, is; null for one that is not assigned. */
export async function findZipArea({ orm }: Executor, zipCode: string): Promise<ZipArea | null> {
  const [area] = await run(
    orm
      .select()
      .from(zipAreas)
      .where(eq(zipAreas.zipCode, zipCode.slice(0, 5))),
  );
  return area ?? null;
}
