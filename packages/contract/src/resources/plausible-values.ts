/** The lowest and the highest value that a measurement can have, in the unit of its series. */
export type PlausibleRange = readonly [lowest: number, highest: number];

const share: PlausibleRange = [0, 100];
const celsius: PlausibleRange = [0, 50];
const celsiusChange: PlausibleRange = [-30, 30];
const count: PlausibleRange = [0, 1_000_000];
/** A month, because the interval of a sample is not bounded. */
const minutes: PlausibleRange = [0, 44_640];
const metres: PlausibleRange = [0, 5_000_000];
const litresOfBreath: PlausibleRange = [0, 20];

/**
 * What the values of a team's own app may be, by series. The ranges are wide: they refuse slipped decimal points, missing conversions and
 * signs, never a rare person. Series that are not listed have no range: texts and units of laboratories that vary.
 */
export const plausibleValues: Readonly<Record<string, PlausibleRange>> = {
  afib_burden: share,
  basal_body_temperature: celsius,
  blood_oxygen: share,
  // Millimetres of mercury: both pressures.
  blood_pressure: [0, 400],
  fat: share,
  body_mass_index: [1, 250],
  body_temperature: celsius,
  body_temperature_delta: celsiusChange,
  weight: [0.1, 700],
  caffeine: [0, 100],
  calories_active: [0, 100_000],
  calories_basal: [0, 100_000],
  carbohydrates: [0, 10_000],
  cholesterol: [0, 200],
  daylight_exposure: minutes,
  distance: metres,
  electrocardiogram_voltage: [-1000, 1000],
  fall: count,
  floors_climbed: count,
  forced_expiratory_volume_1: litresOfBreath,
  forced_vital_capacity: litresOfBreath,
  glucose: [0, 150],
  handwashing: count,
  heart_rate_alert: count,
  heart_rate_recovery_one_minute: [-300, 300],
  heartrate: [0, 400],
  hrv: [0, 5000],
  inhaler_usage: count,
  insulin_injection: [0, 2000],
  lean_body_mass: [0.1, 700],
  mindfulness_minutes: minutes,
  peak_expiratory_flow_rate: [0, 2000],
  respiratory_rate: [0, 200],
  sleep_apnea_alert: count,
  sleep_breathing_disturbance: count,
  stand_duration: minutes,
  stand_hour: count,
  steps: count,
  stress_level: share,
  uv_exposure: [0, 100],
  vo2_max: [0, 150],
  waist_circumference: [1, 500],
  water: [0, 100_000],
  wheelchair_push: count,
  workout_distance: metres,
  workout_duration: minutes,
  workout_swimming_stroke: count,
};

/** Fields of a weighing that mean the same as a series. */
export const plausibleBodyFields: Readonly<Record<string, PlausibleRange>> = {
  weight: [0.1, 700],
  fat: share,
  water_percentage: share,
  muscle_mass_percentage: share,
  visceral_fat_index: [0, 1000],
  bone_mass_percentage: share,
  body_mass_index: [1, 250],
  lean_body_mass_kilogram: [0.1, 700],
  waist_circumference_centimeter: [1, 500],
};
