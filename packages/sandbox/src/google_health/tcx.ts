import type { ApiResponse, UserCall } from '../kit/definition/definition.ts';
import type { Workout } from '../kit/person/types.ts';
import { RefusalError } from '../kit/parts/refusal.ts';
import { assertScope } from './scopes.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

function fileOf({ sport, startMs, endMs, distanceM, kcal, track }: Workout): string {
  const points = track.map(({ ms, bpm, lat, lng, altitudeM, distanceM: metres }) => {
    const position = `<Position><LatitudeDegrees>${lat}</LatitudeDegrees><LongitudeDegrees>${lng}</LongitudeDegrees></Position>`;
    const figures = `<AltitudeMeters>${altitudeM}</AltitudeMeters><DistanceMeters>${metres}</DistanceMeters>`;
    return `<Trackpoint><Time>${iso(ms)}</Time>${position}${figures}<HeartRateBpm><Value>${bpm}</Value></HeartRateBpm></Trackpoint>`;
  });
  const lap =
    `<Lap StartTime="${iso(startMs)}"><TotalTimeSeconds>${(endMs - startMs) / 1000}</TotalTimeSeconds>` +
    `<DistanceMeters>${distanceM}</DistanceMeters><Calories>${Math.round(kcal)}</Calories><Intensity>Active</Intensity>` +
    `<TriggerMethod>Manual</TriggerMethod><Track>${points.join('')}</Track></Lap>`;
  const name = sport === 'running' ? 'Running' : sport === 'cycling' ? 'Biking' : 'Other';
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities>' +
    `<Activity Sport="${name}"><Id>${iso(startMs)}</Id>${lap}</Activity></Activities></TrainingCenterDatabase>`
  );
}

/** Needs the scope of locations too. Without `alt=media` the file stands in JSON. */
export function exportTcx(call: UserCall): ApiResponse {
  assertScope(call, 'activity_and_fitness', 'location');
  const { account, params, query } = call;
  const { person } = account;
  const workouts = person.days(person.firstDate, person.today()).flatMap((day) => day.workouts);
  const workout = workouts.find(({ id }) => id === params['id']);
  if (!workout) throw new RefusalError('not_found', 'Requested entity was not found.');
  const text = fileOf(workout);
  return query.get('alt') === 'media' ? { text, contentType: 'application/vnd.garmin.tcx+xml' } : { body: { tcxData: text } };
}
