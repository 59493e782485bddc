import { bloodOxygenMinutes } from '../../mappers/night/map-night-minutes.ts';
import { mapBloodOxygen } from '../../mappers/night/map-nightly.ts';
import { nightsPull } from './nights-pull.ts';

export const bloodOxygenPull = nightsPull({
  name: 'blood-oxygen',
  requiredScopes: ['oxygen_saturation'],
  path: 'spo2',
  minutes: bloodOxygenMinutes,
  mapDays: mapBloodOxygen,
});
