/** How points are combined in a bucket. */
type Combination = 'sum' | 'summary' | 'raw' | 'segments';

export interface DataType {
  readonly name: string;
  /** What follows `derived:<type>:com.google.android.gms:` in the merged stream. */
  readonly merged: string;
  readonly scope: string;
  readonly combination: Combination;
  /** Names and formats of the values, in order. */
  readonly fields: readonly (readonly [name: string, format: 'integer' | 'floatPoint' | 'map' | 'string'])[];
}

const scope = (name: string) => `https://www.googleapis.com/auth/fitness.${name}.read`;
const one = (name: string, format: 'integer' | 'floatPoint') => [[name, format]] as const;

export const activityScope = scope('activity');
export const sleepScope = scope('sleep');

export const googleFitScopes: readonly string[] = [
  ...[
    'activity',
    'blood_glucose',
    'blood_pressure',
    'body',
    'body_temperature',
    'heart_rate',
    'location',
    'nutrition',
    'oxygen_saturation',
    'reproductive_health',
    'sleep',
  ].map(scope),
  'openid',
];

const type = (name: string, merged: string, scopeName: string, combination: Combination, fields: DataType['fields']): DataType => ({
  name: `com.google.${name}`,
  merged,
  scope: scope(scopeName),
  combination,
  fields,
});

export const dataTypes: readonly DataType[] = [
  type('step_count.delta', 'estimated_steps', 'activity', 'sum', one('steps', 'integer')),
  type('distance.delta', 'merge_distance_delta', 'location', 'sum', one('distance', 'floatPoint')),
  type('calories.expended', 'merge_calories_expended', 'activity', 'sum', one('calories', 'floatPoint')),
  type('calories.bmr', 'merged', 'activity', 'summary', one('calories', 'floatPoint')),
  type('active_minutes', 'merge_active_minutes', 'activity', 'sum', one('duration', 'integer')),
  type('heart_minutes', 'merge_heart_minutes', 'activity', 'sum', one('intensity', 'floatPoint')),
  type('activity.segment', 'merge_activity_segments', 'activity', 'segments', one('activity', 'integer')),
  type('heart_rate.bpm', 'merge_heart_rate_bpm', 'heart_rate', 'summary', one('bpm', 'floatPoint')),
  type('weight', 'merge_weight', 'body', 'summary', one('weight', 'floatPoint')),
  type('height', 'merge_height', 'body', 'summary', one('height', 'floatPoint')),
  type('body.fat.percentage', 'merged', 'body', 'summary', one('percentage', 'floatPoint')),
  type('blood_pressure', 'merged', 'blood_pressure', 'summary', [
    ['blood_pressure_systolic', 'floatPoint'],
    ['blood_pressure_diastolic', 'floatPoint'],
    ['body_position', 'integer'],
    ['blood_pressure_measurement_location', 'integer'],
  ]),
  type('blood_glucose', 'merged', 'blood_glucose', 'summary', [
    ['blood_glucose_level', 'floatPoint'],
    ['temporal_relation_to_meal', 'integer'],
    ['meal_type', 'integer'],
    ['temporal_relation_to_sleep', 'integer'],
    ['blood_glucose_specimen_source', 'integer'],
  ]),
  type('oxygen_saturation', 'merged', 'oxygen_saturation', 'summary', [
    ['oxygen_saturation', 'floatPoint'],
    ['supplemental_oxygen_flow_rate', 'floatPoint'],
    ['oxygen_therapy_administration_mode', 'integer'],
    ['oxygen_saturation_system', 'integer'],
    ['oxygen_saturation_measurement_method', 'integer'],
  ]),
  type('body.temperature', 'merged', 'body_temperature', 'summary', [
    ['body_temperature', 'floatPoint'],
    ['body_temperature_measurement_location', 'integer'],
  ]),
  type('hydration', 'merged', 'nutrition', 'sum', one('volume', 'floatPoint')),
  type('nutrition', 'merged', 'nutrition', 'sum', [
    ['nutrients', 'map'],
    ['meal_type', 'integer'],
    ['food_item', 'string'],
  ]),
  type('sleep.segment', 'merged', 'sleep', 'raw', one('sleep_segment_type', 'integer')),
  type('menstruation', 'merged', 'reproductive_health', 'raw', one('menstrual_flow_rate', 'integer')),
];

export const restingStream = 'resting_heart_rate<-merge_heart_rate_bpm';

export function findType(name: string): DataType | undefined {
  return dataTypes.find((known) => known.name === name);
}
