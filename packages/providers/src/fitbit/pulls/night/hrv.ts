import { hrvMinutes } from '../../mappers/night/map-night-minutes.ts';
import { mapHrv } from '../../mappers/night/map-nightly.ts';
import { nightsPull } from './nights-pull.ts';

export const hrvPull = nightsPull({ name: 'hrv', requiredScopes: ['heartrate'], path: 'hrv', minutes: hrvMinutes, mapDays: mapHrv });
