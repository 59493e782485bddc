import sax from 'sax';

/** A point of a track; null for missing values. */
export interface TcxPoint {
  /** Unix seconds. */
  readonly time: number;
  readonly lat: number | null;
  readonly lng: number | null;
  readonly altitude: number | null;
  /** Metres from the start. */
  readonly distance: number | null;
  readonly heartrate: number | null;
  readonly cadence: number | null;
  readonly power: number | null;
  /** m/s */
  readonly speed: number | null;
}

const pointsMax = 200_000;
const elementsPerPointMax = 100;
const textLengthMax = 64;
// Points of real files are seven levels deep; without a limit, elements that are never closed fill memory.
const depthMax = 64;

/** The name without its namespace prefix: devices choose prefixes freely and do not always declare them. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function readPoint(texts: ReadonlyMap<string, string>): TcxPoint | null {
  const numberOf = (name: string) => {
    const text = texts.get(name)?.trim() ?? '';
    const value = text === '' ? Number.NaN : Number(text);
    return Number.isFinite(value) ? value : null;
  };
  const ms = Date.parse(texts.get('Time')?.trim() ?? '');
  if (Number.isNaN(ms)) return null;
  const [lat, lng] = [numberOf('LatitudeDegrees'), numberOf('LongitudeDegrees')];
  // Devices without a fix write 180 degrees south.
  const isPlace = lat !== null && lng !== null && Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
  return {
    time: Math.floor(ms / 1000),
    lat: isPlace ? lat : null,
    lng: isPlace ? lng : null,
    altitude: numberOf('AltitudeMeters'),
    distance: numberOf('DistanceMeters'),
    // Inside HeartRateBpm; nothing else in a point has this name.
    heartrate: numberOf('Value'),
    cadence: numberOf('Cadence') ?? numberOf('RunCadence'),
    power: numberOf('Watts'),
    speed: numberOf('Speed'),
  };
}

/** Several points of one second state different values; the later one wins where both state the same. */
function merge(earlier: TcxPoint | undefined, later: TcxPoint): TcxPoint {
  if (!earlier) return later;
  const stated = Object.entries(later).filter(([, value]) => value !== null);
  return { ...earlier, ...(Object.fromEntries(stated) as Partial<TcxPoint>) };
}

/**
 * The track of a Training Center XML file, sorted by time, with one point per second. Undefined for any other file. Points without a
 * readable time are skipped; of a truncated or malformed file, the points before the error are kept, and `onDamage` is called.
 */
export function readTcx(xml: string, onDamage?: () => void): readonly TcxPoint[] | undefined {
  const points = new Map<number, TcxPoint>();
  let root: string | undefined;
  let point: Map<string, string> | undefined;
  let text = '';
  let depth = 0;
  let isMalformed = false;
  const handlers: Partial<sax.SAXParser> = {
    onerror(error) {
      isMalformed = true;
      throw error;
    },
    onopentag({ name }) {
      depth += 1;
      if (depth > depthMax) {
        isMalformed = true;
        throw new Error(`Elements are nested deeper than ${depthMax} levels`);
      }
      root ??= localName(name);
      if (localName(name) === 'Trackpoint') point = new Map();
      text = '';
    },
    ontext(part) {
      if (text.length <= textLengthMax) text += part.slice(0, textLengthMax + 1);
    },
    onclosetag(qualified) {
      depth -= 1;
      const name = localName(qualified);
      if (point && name === 'Trackpoint') {
        const read = points.size < pointsMax ? readPoint(point) : null;
        if (read) points.set(read.time, merge(points.get(read.time), read));
        point = undefined;
      } else if (point && !point.has(name) && point.size < elementsPerPointMax && text.length <= textLengthMax) point.set(name, text);
      text = '';
    },
  };
  // Strict: parsing ends at the first element that is not well nested. The parser neither loads nor expands declared entities.
  const parser = Object.assign(sax.parser(true), handlers);
  try {
    parser.write(xml).close();
  } catch (error) {
    if (!isMalformed) throw error;
  }
  if (isMalformed && root === 'TrainingCenterDatabase') onDamage?.();
  return root === 'TrainingCenterDatabase' ? [...points.values()].sort((a, b) => a.time - b.time) : undefined;
}
