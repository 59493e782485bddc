import { minuteValue } from './minutes.ts';
import type { Workout } from './workouts.ts';

/**
 * A workout as Training Center XML, one trackpoint a minute. Heart rate only if its scope was granted; positions were never
 * recorded.
 */
export function workoutTcx(workout: Workout, includesHeart: boolean): string {
  let metres = 0;
  const points = workout.minutes.map((minute, place) => {
    metres += (minuteValue(workout.day, 'distance', minute) ?? 0) * 1000;
    const bpm = includesHeart ? minuteValue(workout.day, 'heart', minute) : undefined;
    const time = new Date(workout.startMs + place * 60_000).toISOString();
    const heart = bpm === undefined ? '' : `<HeartRateBpm><Value>${bpm}</Value></HeartRateBpm>`;
    return `<Trackpoint><Time>${time}</Time><DistanceMeters>${metres.toFixed(1)}</DistanceMeters>${heart}</Trackpoint>`;
  });
  const start = new Date(workout.startMs).toISOString();
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities>',
    `<Activity Sport="${workout.activity.name === 'Run' ? 'Running' : 'Other'}"><Id>${start}</Id>`,
    `<Lap StartTime="${start}"><TotalTimeSeconds>${workout.minutes.length * 60}</TotalTimeSeconds>`,
    `<DistanceMeters>${metres.toFixed(1)}</DistanceMeters><Calories>${Math.round(workout.calories)}</Calories>`,
    `<Track>${points.join('')}</Track></Lap></Activity></Activities></TrainingCenterDatabase>`,
  ].join('\n');
}
