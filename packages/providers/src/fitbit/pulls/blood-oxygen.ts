import { bloodOxygenMinutes } from '../map-night-minutes.ts';
import { mapBloodOxygen } from '../map-nightly.ts';
import { nightsPull } from './nights-pull.ts';

export const bloodOxygenPull = nightsPull({
  name: 'blood-oxygen',
  requiredScopes: ['oxygen_saturation'],
  path: 'spo2',
  minutes: bloodOxygenMinutes,
  mapDays: mapBloodOxygen,
});
