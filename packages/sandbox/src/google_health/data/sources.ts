import type { Fields } from './data-type.ts';

/** Where points come from. Any part may be missing. */
export const tracker: Fields = { recordingMethod: 'PASSIVELY_MEASURED', platform: 'FITBIT', device: { displayName: 'Charge 6' } };
/** Of all that a tracker records, only exercises were recorded with its form. */
export const exerciseTracker: Fields = { ...tracker, device: { formFactor: 'FITNESS_BAND', displayName: 'Charge 6' } };
export const nameless: Fields = { platform: 'FITBIT', device: {} };
export const derived: Fields = { recordingMethod: 'DERIVED', platform: 'FITBIT', device: { displayName: 'Charge 6' } };
export const scale: Fields = {
  recordingMethod: 'ACTIVELY_MEASURED',
  platform: 'FITBIT',
  device: { formFactor: 'SCALE', displayName: 'Aria Air' },
};
export const byHand: Fields = { recordingMethod: 'MANUAL', platform: 'FITBIT' };
export const phone: Fields = {
  platform: 'HEALTH_CONNECT',
  device: { manufacturer: 'Google' },
  application: { packageName: 'com.example.steps' },
};
export const glucoseApp: Fields = {
  platform: 'HEALTH_CONNECT',
  device: { manufacturer: 'Dexcom' },
  application: { packageName: 'com.example.glucose' },
};
