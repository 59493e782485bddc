import { eq, sql as text } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { zipAreas } from '../model/area-tables.ts';

export interface ZipArea {
  readonly lat: number;
  readonly lng: number;
  readonly ianaTimezone: string;
}

/**
 * Where a ZIP code is. One without an area of its own, such as that of a post office, is placed at the centre of those that share its first
 * three digits; null when there are none.
 */
export async function findZipArea({ orm }: Executor, zipCode: string): Promise<ZipArea | null> {
  const zip = zipCode.slice(0, 5);
  const [area] = await run(orm.select().from(zipAreas).where(eq(zipAreas.zipCode, zip)));
  if (area) return area;
  const [middle] = await run(
    orm
      .select({
        lat: text<number | null>`avg(${zipAreas.lat})`,
        lng: text<number | null>`avg(${zipAreas.lng})`,
        ianaTimezone: text<string | null>`mode() WITHIN GROUP (ORDER BY ${zipAreas.ianaTimezone})`,
      })
      .from(zipAreas)
      .where(text`${zipAreas.zipCode} BETWEEN ${`${zip.slice(0, 3)}00`} AND ${`${zip.slice(0, 3)}99`}`),
  );
  if (!middle || middle.lat === null || middle.lng === null || middle.ianaTimezone === null) return null;
  return { lat: middle.lat, lng: middle.lng, ianaTimezone: middle.ianaTimezone };
}
