/** A table whose rows each are one value, and the record that the mobile SDK makes of it. */
export interface ValueTable {
  readonly table: string;
  readonly column: string;
  /** As in the mappers of phones. */
  readonly type: string;
  readonly unit: string | null;
  /** Whether a row is valid for a span, with a start and an end. */
  readonly isSpan?: true;
  /** A column with a code, and the words of its codes from 0. */
  readonly detail?: { readonly column: string; readonly key: string; readonly words: readonly (string | null)[] };
  /** Rows may leave the column unset as zero, or as the smallest positive number. */
  readonly isZeroUnset?: true;
}

const places = ['armpit', 'finger', 'forehead', 'mouth', 'rectum', 'temporal_artery', 'toe', 'ear', 'wrist', null];
const specimens = ['interstitial_fluid', 'capillary_blood', 'plasma', 'serum', 'tears', 'whole_blood'];

/** A column of meals; HealthKit's names, because mobile SDKs send no meals of Health Connect. */
const nutrient = (column: string, type: string, unit = 'g'): ValueTable => ({
  table: 'nutrition_record_table',
  column,
  type,
  unit,
  isSpan: true,
  isZeroUnset: true,
});

// Health Connect stores mass in grams and energy in small calories.
export const valueTables: readonly ValueTable[] = [
  { table: 'weight_record_table', column: 'weight', type: 'WEIGHT', unit: 'g' },
  { table: 'height_record_table', column: 'height', type: 'HEIGHT', unit: 'm' },
  { table: 'body_fat_record_table', column: 'percentage', type: 'BODY_FAT', unit: '%' },
  { table: 'lean_body_mass_record_table', column: 'mass', type: 'LEAN_BODY_MASS', unit: 'g' },
  {
    table: 'heart_rate_variability_rmssd_record_table',
    column: 'heart_rate_variability_millis',
    type: 'HEART_RATE_VARIABILITY',
    unit: 'ms',
  },
  { table: 'oxygen_saturation_record_table', column: 'percentage', type: 'OXYGEN_SATURATION', unit: '%' },
  { table: 'respiratory_rate_record_table', column: 'rate', type: 'RESPIRATORY_RATE', unit: 'breaths/min' },
  {
    table: 'blood_glucose_record_table',
    column: 'level',
    type: 'BLOOD_GLUCOSE',
    unit: 'mmol/L',
    detail: { column: 'specimen_source', key: 'specimenSource', words: [null, ...specimens] },
  },
  {
    table: 'body_temperature_record_table',
    column: 'temperature',
    type: 'BODY_TEMPERATURE',
    unit: '°C',
    detail: { column: 'measurement_location', key: 'measurementLocation', words: [null, ...places] },
  },
  { table: 'basal_body_temperature_record_table', column: 'temperature', type: 'BASAL_BODY_TEMPERATURE', unit: '°C' },
  { table: 'menstruation_flow_record_table', column: 'flow', type: 'MENSTRUATION_FLOW', unit: null },
  // Of these, a row is all there is.
  { table: 'menstruation_period_record_table', column: 'row_id', type: 'MENSTRUATION_PERIOD', unit: null, isSpan: true },
  { table: 'intermenstrual_bleeding_record_table', column: 'row_id', type: 'INTERMENSTRUAL_BLEEDING', unit: null },
  { table: 'cervical_mucus_record_table', column: 'appearance', type: 'CERVICAL_MUCUS', unit: null },
  { table: 'ovulation_test_record_table', column: 'result', type: 'OVULATION_TEST', unit: null },
  { table: 'sexual_activity_record_table', column: 'protection_used', type: 'SEXUAL_ACTIVITY', unit: null },
  { table: 'vo2_max_record_table', column: 'vo2_milliliters_per_minute_kilogram', type: 'VO2_MAX', unit: 'mL/kg/min' },
  { table: 'steps_record_table', column: 'count', type: 'STEP_COUNT', unit: 'count', isSpan: true },
  { table: 'distance_record_table', column: 'distance', type: 'DISTANCE', unit: 'm', isSpan: true },
  { table: 'active_calories_burned_record_table', column: 'energy', type: 'ACTIVE_CALORIES_BURNED', unit: 'cal', isSpan: true },
  { table: 'floors_climbed_record_table', column: 'floors', type: 'FLOORS_CLIMBED', unit: 'count', isSpan: true },
  { table: 'hydration_record_table', column: 'volume', type: 'HYDRATION', unit: 'L', isSpan: true },
  { table: 'resting_heart_rate_record_table', column: 'beats_per_minute', type: 'RESTING_HEART_RATE', unit: 'bpm' },
  nutrient('energy', 'DietaryEnergyConsumed', 'cal'),
  nutrient('total_carbohydrate', 'DietaryCarbohydrates'),
  nutrient('protein', 'DietaryProtein'),
  nutrient('total_fat', 'DietaryFatTotal'),
  nutrient('saturated_fat', 'DietaryFatSaturated'),
  nutrient('monounsaturated_fat', 'DietaryFatMonounsaturated'),
  nutrient('polyunsaturated_fat', 'DietaryFatPolyunsaturated'),
  nutrient('dietary_fiber', 'DietaryFiber'),
  nutrient('sugar', 'DietarySugar'),
  nutrient('cholesterol', 'DietaryCholesterol'),
  nutrient('sodium', 'DietarySodium'),
  nutrient('potassium', 'DietaryPotassium'),
  nutrient('magnesium', 'DietaryMagnesium'),
  nutrient('calcium', 'DietaryCalcium'),
  nutrient('iron', 'DietaryIron'),
  nutrient('vitamin_c', 'DietaryVitaminC'),
  nutrient('caffeine', 'DietaryCaffeine'),
];

/** Names of exercise types by the platform's codes, which differ from those of the Jetpack library. */
export const exerciseTypes: readonly string[] = [
  'unknown badminton baseball basketball biking biking_stationary boot_camp boxing calisthenics cricket dancing exercise_class fencing',
  'football_american football_australian frisbee_disc golf guided_breathing gymnastics handball high_intensity_interval_training hiking',
  'ice_hockey ice_skating martial_arts paddling paragliding pilates racquetball rock_climbing roller_hockey rowing rugby running',
  'running_treadmill sailing scuba_diving skating skiing snowboarding snowshoeing soccer softball squash stair_climbing strength_training',
  'stretching surfing swimming_open_water swimming_pool table_tennis tennis volleyball walking water_polo weightlifting wheelchair yoga',
  'other_workout stair_climbing_machine elliptical rowing_machine',
].flatMap((line) => line.toUpperCase().split(' '));

/** Sleep stages by code; out of bed is no stage. */
export const sleepStages: readonly string[] = ['unknown', 'awake', 'sleeping', 'unknown', 'light', 'deep', 'rem', 'awake'];

export const deviceTypes: readonly string[] = [
  'unknown',
  'watch',
  'phone',
  'scale',
  'ring',
  'head_mounted',
  'fitness_band',
  'chest_strap',
  'smart_display',
];
export const recordingMethods: readonly string[] = ['unknown', 'active', 'automatic', 'manual'];
