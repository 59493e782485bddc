/** Plain names of the resources, in the order shown. */
const groups: readonly (readonly [words: string, resources: readonly string[]])[] = [
  ['your profile', ['profile']],
  [
    'activity',
    ['activity', 'steps', 'distance', 'floors_climbed', 'calories_active', 'calories_basal', 'active_zone_minutes', 'stand_hour'],
  ],
  ['workouts', ['workouts', 'workout_duration', 'workout_distance', 'workout_swimming_stroke']],
  ['the routes of workouts', ['workout_stream']],
  ['sleep', ['sleep', 'sleep_cycle', 'sleep_apnea_alert']],
  ['heart rate', ['heartrate', 'hrv', 'heart_rate_alert', 'heart_rate_recovery_one_minute', 'afib_burden']],
  ['heart recordings (ECG)', ['electrocardiogram', 'electrocardiogram_voltage']],
  ['blood pressure', ['blood_pressure']],
  ['blood oxygen and breathing', ['blood_oxygen', 'respiratory_rate', 'sleep_breathing_disturbance', 'forced_vital_capacity']],
  ['temperature', ['body_temperature', 'body_temperature_delta', 'basal_body_temperature']],
  ['weight and body composition', ['body', 'weight', 'fat', 'body_mass_index', 'lean_body_mass', 'waist_circumference']],
  ['fitness (VO2 max)', ['vo2_max']],
  ['glucose', ['glucose']],
  ['insulin', ['insulin_injection']],
  ['meals and drinks', ['meal', 'carbohydrates', 'water', 'caffeine']],
  ['the menstrual cycle', ['menstrual_cycle']],
  ['stress and mindfulness', ['stress_level', 'mindfulness_minutes']],
  ['notes', ['note']],
];
const known: ReadonlyMap<string, string> = new Map(groups.flatMap(([words, names]) => names.map((name) => [name, words] as const)));

/** `sleep, heart rate and glucose`: the plain names of these resources, each once. */
export function readsOf(resources: readonly string[]): string {
  const named = new Set(resources.map((name) => known.get(name) ?? name.replaceAll('_', ' ')));
  const ordered = [
    ...groups.map(([words]) => words).filter((words) => named.has(words)),
    ...[...named].filter((words) => !groups.some(([group]) => group === words)),
  ];
  return ordered.length < 2 ? (ordered[0] ?? 'your data') : `${ordered.slice(0, -1).join(', ')} and ${ordered.at(-1)}`;
}
