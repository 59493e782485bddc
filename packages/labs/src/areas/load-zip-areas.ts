import { gunzipSync } from 'node:zlib';
import { plainArray, textArray, type Tx } from '@pulsewire/database';

/** Replaces the ZIP areas with those of a file: a line with the time zones, then lines of zip, latitude, longitude and zone index. */
export async function loadZipAreas({ sql }: Tx, file: Buffer): Promise<void> {
  const [heading = '', ...lines] = gunzipSync(file).toString().trimEnd().split('\n');
  const zones = heading.slice(1).split(',');
  const rows = lines.map((line) => line.split(','));
  const column = (index: number) => rows.map((row) => row[index] ?? '');
  await sql`
    INSERT INTO zip_areas (zip_code, lat, lng, iana_timezone)
    SELECT * FROM unnest(${textArray(column(0))}::text[], ${plainArray(column(1))}::float8[], ${plainArray(column(2))}::float8[],
      ${textArray(column(3).map((index) => zones[Number(index)] ?? 'Etc/UTC'))}::text[])
    ON CONFLICT (zip_code) DO UPDATE SET lat = excluded.lat, lng = excluded.lng, iana_timezone = excluded.iana_timezone`;
}
