import { allNightly } from '../../context/all-of.ts';
import { mapRespiratoryRate, mapSkinTemperature, mapVo2Max } from '../../mappers/night/map-nightly.ts';
import { rangePull, type RangePull } from '../range-pull.ts';

interface NightlyValue extends Pick<RangePull, 'name' | 'requiredScopes' | 'map'> {
  readonly resource: string;
  /** Below `/1/user/-/`. */
  readonly path: string;
}

/** One value per night, thirty days per call, read when a night was reported. */
const nightlyPull = ({ resource, path, ...spec }: NightlyValue) =>
  rangePull({
    ...spec,
    resources: [resource],
    chunkDays: 30,
    collections: ['sleep'],
    path: (start, end) => `/1/user/-/${path}/date/${start}/${end}.json`,
    allOf: (days, context) => allNightly(resource, days, context),
    deletions: 'by_absence',
  });

export const respiratoryRatePull = nightlyPull({
  name: 'respiratory-rate',
  resource: 'respiratory_rate',
  requiredScopes: ['respiratory_rate'],
  path: 'br',
  map: mapRespiratoryRate,
});

export const skinTemperaturePull = nightlyPull({
  name: 'skin-temperature',
  resource: 'body_temperature_delta',
  requiredScopes: ['temperature'],
  path: 'temp/skin',
  map: mapSkinTemperature,
});

export const vo2MaxPull = nightlyPull({
  name: 'vo2-max',
  resource: 'vo2_max',
  requiredScopes: ['cardio_fitness'],
  path: 'cardioscore',
  map: mapVo2Max,
});
