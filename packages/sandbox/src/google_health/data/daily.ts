import { dayNumber } from '../../model/calendar.ts';
import type { PersonDay, Sleep } from '../../kit/person/types.ts';
import { activityScope, metricsScope, type DataType, type Fields } from './data-type.ts';
import { derived, tracker } from './sources.ts';

const baselineCelsius = 33;

type Write = (day: PersonDay, night: Sleep) => Fields;

/** A value of each day on which a night ended. */
function daily(name: string, write: Write, scope = metricsScope, source: Fields = derived): DataType {
  return {
    name: `daily-${name}`,
    record: 'daily',
    scope,
    operations: ['list', 'reconcile'],
    points: (_account, days) =>
      days.flatMap((day) => {
        const night = day.sleeps.at(-1);
        return night ? [{ date: day.date, startMs: day.startMs, endMs: day.endMs, fields: write(day, night), source }] : [];
      }),
  };
}

export const dailyTypes: readonly DataType[] = [
  daily('resting-heart-rate', ({ restingHr }) => ({
    beatsPerMinute: String(restingHr),
    dailyRestingHeartRateMetadata: { calculationMethod: 'WITH_SLEEP' },
  })),
  daily('heart-rate-zones', () => ({
    heartRateZones: [{ heartRateZoneType: 'LIGHT', minBeatsPerMinute: '95', maxBeatsPerMinute: '119' }],
  })),
  daily('heart-rate-variability', (_day, { hrvAverage, hrLowest }) => ({
    averageHeartRateVariabilityMilliseconds: hrvAverage,
    deepSleepRootMeanSquareOfSuccessiveDifferencesMilliseconds: hrvAverage + 2.5,
    nonRemHeartRateBeatsPerMinute: String(hrLowest),
    entropy: 2.9,
  })),
  daily(
    'oxygen-saturation',
    ({ spo2 }) => ({
      averagePercentage: spo2,
      lowerBoundPercentage: spo2 - 1.5,
      upperBoundPercentage: Math.min(100, spo2 + 1.5),
      standardDeviationPercentage: 0.8,
    }),
    metricsScope,
    tracker,
  ),
  daily('respiratory-rate', (_day, { respiratoryRate }) => ({ breathsPerMinute: respiratoryRate })),
  // Some nights have no baseline: the text NaN instead of a number.
  daily('sleep-temperature-derivations', ({ date }, { temperatureDelta }) => ({
    nightlyTemperatureCelsius: baselineCelsius + temperatureDelta,
    baselineTemperatureCelsius: dayNumber(date) % 5 === 0 ? 'NaN' : baselineCelsius,
    relativeNightlyStddev30dCelsius: dayNumber(date) % 5 === 0 ? 'NaN' : 0.4,
  })),
  daily('vo2-max', ({ vo2Max }) => ({ vo2Max, estimated: true, cardioFitnessLevel: 'GOOD', vo2MaxCovariance: 3.2 }), activityScope),
];
