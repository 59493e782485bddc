/** A point of a track; null for what it does not tell. */
export interface TcxPoint {
  /** Unix seconds. */
  readonly time: number;
  readonly lat: number | null;
  readonly lng: number | null;
  readonly altitude: number | null;
  /** Metres from the start on. */
  readonly distance: number | null;
  readonly heartrate: number | null;
  readonly cadence: number | null;
  readonly power: number | null;
  /** m/s */
  readonly speed: number | null;
}

const pointsMax = 200_000;
/** Characters of one point that are looked at. */
const pointLengthMax = 10_000;

/** The text between an opening tag and what closes it, whatever namespace it has; null where there is none. */
function inside(xml: string, name: string): string | null {
  const match = new RegExp(`<(?:\\w{1,20}:)?${name}(?:\\s[^<>]{0,200})?>([^<>]{0,64})</`).exec(xml);
  return match?.[1]?.trim() ?? null;
}

function numberIn(xml: string, name: string): number | null {
  const text = inside(xml, name);
  const value = text === null || text === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : null;
}

function readPoint(xml: string): TcxPoint | null {
  const ms = Date.parse(inside(xml, 'Time') ?? '');
  if (Number.isNaN(ms)) return null;
  const [lat, lng] = [numberIn(xml, 'LatitudeDegrees'), numberIn(xml, 'LongitudeDegrees')];
  // The heart rate stands one level deeper; nothing else in a point is called so.
  return {
    time: Math.floor(ms / 1000),
    lat,
    lng,
    altitude: numberIn(xml, 'AltitudeMeters'),
    distance: numberIn(xml, 'DistanceMeters'),
    heartrate: numberIn(xml, 'Value'),
    cadence: numberIn(xml, 'Cadence') ?? numberIn(xml, 'RunCadence'),
    power: numberIn(xml, 'Watts'),
    speed: numberIn(xml, 'Speed'),
  };
}

/**
 * The track of a Training Center XML file, by time, each second once. Undefined when it is no such file. Points without a
 * readable time are left out; the XML is not checked beyond what is read.
 */
export function readTcx(xml: string): readonly TcxPoint[] | undefined {
  if (!xml.includes('<TrainingCenterDatabase')) return undefined;
  const points = new Map<number, TcxPoint>();
  let end = 0;
  for (let from = xml.indexOf('<Trackpoint'); from >= 0 && points.size < pointsMax; from = xml.indexOf('<Trackpoint', end)) {
    end = xml.indexOf('</Trackpoint>', from);
    if (end < 0) break;
    // On behind the end, not behind the beginning: of a thousand beginnings before one end each would be read up to there.
    const point = readPoint(xml.slice(from, Math.min(end, from + pointLengthMax)));
    if (point) points.set(point.time, point);
  }
  return [...points.values()].sort((a, b) => a.time - b.time);
}
