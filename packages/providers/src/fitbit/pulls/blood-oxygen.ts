import { bloodOxygenMinutes } from '../mappers/map-night-minutes.ts';
import { mapBloodOxygen } from '../mappers/map-nightly.ts';
import { nightsPull } from './nights-pull.ts';

export const bloodOxygenPull = nightsPull({
  name: 'blood-oxygen',
  requiredScopes: ['oxygen_saturation'],
  path: 'spo2',
  minutes: bloodOxygenMinutes,
  mapDays: mapBloodOxygen,
});
