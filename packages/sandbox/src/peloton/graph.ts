import type { Person } from '../kit/person/person.ts';
import type { TrackPoint, Workout } from '../kit/person/types.ts';
import { isImperial, dayNumberOf, type Session } from './sessions.ts';

type Row = Readonly<Record<string, unknown>>;

const metersPerMile = 1609.344;
const metersPerFoot = 0.3048;

interface Figures {
  readonly values: readonly (number | null)[];
  readonly average: number | null;
  readonly max: number;
}

function metric(slug: string, unit: string, { values, average, max }: Figures, rest: Row = {}): Row {
  const display_name = slug.replaceAll('_', ' ');
  return { display_name, display_unit: unit, max_value: max, average_value: average, values, slug, missing_data_duration: -3, ...rest };
}

function figuresOf(values: readonly number[]): Figures {
  const round = (value: number) => Math.round(value * 100) / 100;
  return { values: values.map(round), average: round(values.reduce((a, b) => a + b, 0) / values.length), max: round(Math.max(...values)) };
}

/** The strap sometimes loses the signal, which is a 0; average and maximum are those of the whole workout. */
function heartRate({ hrAverage, hrMax }: Workout, track: readonly TrackPoint[]): Row {
  const values = track.map(({ bpm }, index) => (index % 19 === 5 ? 0 : bpm));
  const zones = [1, 2, 3, 4, 5].map((zone) => ({ slug: `zone${zone}`, range: '', duration: 60 * zone, min_value: 0, max_value: 200 }));
  return metric('heart_rate', 'bpm', { values, average: hrAverage, max: hrMax }, { zones });
}

/** Minutes for a mile or a kilometre, null while standing; the fastest is the smallest. Speed is an alternative of it. */
function pace(person: Person, track: readonly TrackPoint[], speed: Row): Row {
  const meters = isImperial(person) ? metersPerMile : 1000;
  const values = track.map(({ speedMs }, index) => (index % 11 === 3 ? null : Math.round((meters / speedMs / 60) * 100) / 100));
  const known = values.filter((value) => value !== null);
  const average = known.reduce((a, b) => a + b, 0) / known.length;
  const unit = isImperial(person) ? 'min/mi' : 'min/km';
  return metric('pace', unit, { values, average, max: Math.min(...known) }, { alternatives: [speed] });
}

function metricsOf(person: Person, workout: Workout, track: readonly TrackPoint[]): Row[] {
  const perHour = isImperial(person) ? 3600 / metersPerMile : 3.6;
  const speed = metric('speed', isImperial(person) ? 'mph' : 'kph', figuresOf(track.map(({ speedMs }) => speedMs * perHour)));
  const cadence = metric('cadence', workout.sport === 'cycling' ? 'rpm' : 'spm', figuresOf(track.map((point) => point.cadence)));
  if (workout.sport === 'cycling') {
    const output = metric('output', 'watts', figuresOf(track.map(({ watts }) => watts)));
    const resistance = metric('resistance', '%', figuresOf(track.map(({ watts }) => 30 + (watts % 20))));
    return [output, cadence, resistance, speed, heartRate(workout, track)];
  }
  const scale = isImperial(person) ? metersPerFoot : 1;
  const heights = figuresOf(track.map(({ altitudeM }) => altitudeM / scale));
  const altitude = metric('altitude', isImperial(person) ? 'ft' : 'm', { ...heights, average: null });
  return [pace(person, track, speed), altitude, heartRate(workout, track)];
}

/** Coordinates in pieces, with a hole between them. */
function locationOf({ startMs }: Session, track: readonly TrackPoint[]): Row[] {
  const coordinates = track.map(({ ms, lat, lng }) => ({
    latitude: lat,
    longitude: lng,
    seconds_offset_from_start: (ms - startMs) / 1000,
    accuracy: 4.1,
  }));
  const middle = Math.floor(coordinates.length / 2);
  const piece = (segment_id: string, is_gap: boolean, part: readonly Row[]) => ({ segment_id, is_gap, coordinates: part });
  const ends = coordinates.slice(middle - 1, middle + 1);
  return [piece('1', false, coordinates.slice(0, middle)), piece('2', true, ends), piece('3', false, coordinates.slice(middle))];
}

/** Samples and sums, in the units of the account. Empty for what has no figures; the first seconds may be missing. */
export function graphOf(person: Person, session: Session): Row {
  const { workout, startMs, endMs } = session;
  const duration = (endMs - startMs) / 1000;
  if (!workout) return { duration, seconds_since_pedaling_start: [], metrics: [], summaries: [], average_summaries: [], location_data: [] };
  const track = dayNumberOf(session) % 4 === 0 ? workout.track.slice(1) : workout.track;
  const imperial = isImperial(person);
  const sum = (slug: string, display_unit: string, value: number) => ({ slug, display_name: slug, display_unit, value });
  return {
    duration,
    is_class_plan_shown: false,
    segment_list: [],
    seconds_since_pedaling_start: track.map(({ ms }) => (ms - startMs) / 1000),
    metrics: metricsOf(person, workout, track),
    summaries: [
      sum('distance', imperial ? 'mi' : 'km', workout.distanceM / (imperial ? metersPerMile : 1000)),
      sum('elevation', imperial ? 'ft' : 'm', workout.elevationM / (imperial ? metersPerFoot : 1)),
      sum(dayNumberOf(session) % 8 === 2 ? 'total_calories' : 'calories', 'kcal', workout.kcal),
      ...(workout.sport === 'cycling' ? [sum('total_output', 'kj', 345)] : []),
    ],
    average_summaries: [],
    has_apple_watch_metrics: dayNumberOf(session) % 8 === 2,
    is_location_data_accurate: workout.sport === 'cycling' ? null : true,
    location_data: workout.sport === 'cycling' ? [] : locationOf(session, track),
    effort_zones: null,
    splits_data: {},
  };
}
