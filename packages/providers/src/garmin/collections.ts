import type { Quarantined } from '@pulsewire/contract';
import { JsonNode } from '../kit/values/json-node.ts';
import type { MappedRecords, PullUser } from '../kit/types/connector.ts';
import { createContext } from './garmin.ts';
import { mapActivities, mapActivityDetails } from './mappers/map-activities.ts';
import { mapDailies } from './mappers/map-dailies.ts';
import { mapEpochs } from './mappers/map-epochs.ts';
import { mapBloodPressures, mapBodyComps, mapUserMetrics } from './mappers/map-measurements.ts';
import { mapHrv, mapPulseOx, mapRespiration, mapSkinTemp, mapStressDetails, type GarminMapper } from './mappers/map-readings.ts';
import { mapSleeps } from './mappers/map-sleeps.ts';
import { mapSnapshots } from './mappers/map-snapshots.ts';

export const healthExport = 'HEALTH_EXPORT';
export const activityExport = 'ACTIVITY_EXPORT';
export const historicalExport = 'HISTORICAL_DATA_EXPORT';

/** A kind of summary: a key of push bodies. */
export interface GarminCollection {
  readonly key: string;
  readonly resources: readonly string[];
  readonly scope: string;
  /** Its name in requests for history; null: history cannot be requested for it. */
  readonly backfill: string | null;
  readonly map: GarminMapper;
}

const health = { scope: healthExport };
const activity = { scope: activityExport };

/** In order of priority, because requests are limited. Other keys of a body are ignored. */
export const collections: readonly GarminCollection[] = [
  {
    ...health,
    key: 'dailies',
    backfill: 'dailies',
    resources: ['activity', 'heartrate', 'floors_climbed', 'calories_basal'],
    map: mapDailies,
  },
  { ...health, key: 'sleeps', backfill: 'sleeps', resources: ['sleep', 'sleep_cycle'], map: mapSleeps },
  { ...activity, key: 'activities', backfill: 'activities', resources: ['workouts'], map: mapActivities },
  { ...health, key: 'epochs', backfill: 'epochs', resources: ['steps', 'distance', 'calories_active', 'wheelchair_push'], map: mapEpochs },
  { ...health, key: 'hrv', backfill: 'hrv', resources: ['hrv'], map: mapHrv },
  { ...health, key: 'bodyComps', backfill: 'bodyComps', resources: ['body', 'weight', 'fat'], map: mapBodyComps },
  { ...health, key: 'stressDetails', backfill: 'stressDetails', resources: ['stress_level'], map: mapStressDetails },
  { ...health, key: 'allDayRespiration', backfill: 'respiration', resources: ['respiratory_rate'], map: mapRespiration },
  { ...health, key: 'pulseox', backfill: 'pulseOx', resources: ['blood_oxygen'], map: mapPulseOx },
  { ...health, key: 'userMetrics', backfill: 'userMetrics', resources: ['vo2_max'], map: mapUserMetrics },
  { ...health, key: 'bloodPressures', backfill: 'bloodPressures', resources: ['blood_pressure', 'heartrate'], map: mapBloodPressures },
  { ...health, key: 'skinTemp', backfill: 'skinTemp', resources: ['body_temperature_delta'], map: mapSkinTemp },
  {
    ...health,
    key: 'healthSnapshot',
    backfill: 'healthSnapshot',
    resources: ['heartrate', 'hrv', 'stress_level', 'respiratory_rate', 'blood_oxygen'],
    map: mapSnapshots,
  },
  { ...activity, key: 'activityDetails', backfill: 'activityDetails', resources: ['workout_stream'], map: mapActivityDetails },
  { ...activity, key: 'manuallyUpdatedActivities', backfill: null, resources: ['workouts'], map: mapActivities },
];

/** Maps a list of summaries of one kind to records. */
export function mapSummaries(key: string, items: unknown, user: PullUser): MappedRecords {
  const quarantined: Quarantined[] = [];
  const collection = collections.find((known) => known.key === key);
  const records = collection?.map(new JsonNode(items), createContext(user), quarantined) ?? [];
  return { records, quarantined };
}
