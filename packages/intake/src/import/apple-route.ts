import { StringDecoder } from 'node:string_decoder';
import sax from 'sax';
import type { Attributes } from './apple-items.ts';
import type { ExportItem } from './export-batch.ts';
import { BadFileError } from './read-file.ts';

/** Most points of one route; a day of one point per second. */
export const routePointsMax = 86_400;
/** No number or time is longer. */
const textMax = 64;

/** Points and speeds of a workout, as the mobile SDKs send them. */
export interface Route {
  readonly route: readonly ExportItem[];
  readonly samples: readonly ExportItem[];
}

function numberOf(text: string | undefined): number | null {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}

/** The points of a GPX file of Apple Health: position, height and time, and the speed among the extensions; it is negative if unknown. */
export async function readRoute(chunks: AsyncIterable<Uint8Array>): Promise<Route> {
  const decoder = new StringDecoder('utf8');
  const [route, samples]: [ExportItem[], ExportItem[]] = [[], []];
  let point: Record<string, string> | null = null;
  let text = '';
  // At its end the parser throws nothing.
  let failure: Error | null = null;
  const parser = Object.assign(sax.parser(true), {
    onerror: (error: Error) => void (failure ??= error),
    ontext(more: string) {
      if (point && text.length < textMax) text += more;
    },
  });
  parser.onopentag = ({ name, attributes }) => {
    text = '';
    const { lat = '', lon = '' } = attributes as Attributes;
    if (name === 'trkpt') point = { lat, lon };
  };
  parser.onclosetag = (name) => {
    if (!point) return;
    if (name !== 'trkpt') {
      if (name === 'ele' || name === 'time' || name === 'speed') point[name] = text;
      return;
    }
    const { lat, lon, ele, speed: speedText, time } = point;
    point = null;
    const [latitude, longitude, altitudeM, speed] = [lat, lon, ele, speedText].map(numberOf);
    const timestamp = time?.trim();
    const isOnEarth = latitude != null && longitude != null && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
    if (timestamp === undefined || !isOnEarth || route.length >= routePointsMax) return;
    route.push({ timestamp, latitude, longitude, altitudeM });
    if (speed != null && speed >= 0) samples.push({ timestamp, type: 'speed', value: speed, unit: 'm/s' });
  };
  for await (const chunk of chunks) {
    if (failure || route.length >= routePointsMax) break;
    parser.write(decoder.write(Buffer.from(chunk)));
  }
  if (!failure && route.length < routePointsMax) parser.write(decoder.end()).close();
  if (failure) throw new BadFileError('not well-formed XML', failure);
  if (route.length === 0) throw new BadFileError('no points of a track');
  return { route, samples };
}
