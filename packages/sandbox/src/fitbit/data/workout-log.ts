import type { Account } from '../accounts/types.ts';
import type { HeartZone } from './heart-zones.ts';
import { round, toDistance, toElevation, type Units } from './units.ts';
import type { Workout } from './workouts.ts';

const zoneTypes = ['OUT_OF_ZONE', 'FAT_BURN', 'CARDIO', 'PEAK'] as const;
const zoneMultipliers = [0, 1, 2, 2] as const;
const syncDelayMs = 120_000;

/** An entry of `/activities/list.json`. `apiUrl` is where its links point. */
export function workoutLog(account: Account, workout: Workout, units: Units, apiUrl: string): object {
  const durationMs = workout.minutes.length * 60_000;
  const startTime = account.zone.offsetText(workout.startMs);
  const distance = toDistance(workout.distanceKm, units);
  const { activity, day, logId } = workout;
  return {
    logId,
    activityTypeId: activity.id,
    activityName: activity.name,
    startTime,
    duration: durationMs,
    activeDuration: durationMs,
    originalStartTime: startTime,
    originalDuration: durationMs,
    calories: Math.round(workout.calories),
    distance: round(distance, 6),
    distanceUnit: units === 'en_US' ? 'Mile' : 'Kilometer',
    speed: round((distance / durationMs) * 3_600_000, 6),
    pace: distance > 0 ? round(durationMs / 1000 / distance, 6) : 0,
    steps: workout.steps,
    ...(workout.averageBpm !== undefined && {
      averageHeartRate: workout.averageBpm,
      heartRateLink: `${apiUrl}/1/user/-/activities/heart/date/${day.date}/1d/1sec.json`,
    }),
    elevationGain: round(toElevation(workout.elevationM, units), 3),
    heartRateZones: workout.zones,
    activeZoneMinutes: activeZoneMinutes(workout.zones),
    logType: 'auto_detected',
    source: { id: 'tracker', name: 'Charge 2', type: 'tracker', url: 'https://www.fitbit.com/', trackerFeatures: ['CALORIES', 'DISTANCE', 'HEARTRATE', 'STEPS'] },
    tcxLink: `${apiUrl}/1/user/-/activities/${logId}.tcx`,
    lastModified: new Date(workout.startMs + durationMs + syncDelayMs).toISOString(),
  };
}

function activeZoneMinutes(zones: readonly HeartZone[]): object {
  const minutesInHeartRateZones = zones.map((zone, order) => ({
    zoneName: zone.name,
    type: zoneTypes[order],
    order,
    minuteMultiplier: zoneMultipliers[order] ?? 0,
    minutes: zone.minutes * (zoneMultipliers[order] ?? 0),
  }));
  return { totalMinutes: minutesInHeartRateZones.reduce((sum, zone) => sum + zone.minutes, 0), minutesInHeartRateZones };
}
