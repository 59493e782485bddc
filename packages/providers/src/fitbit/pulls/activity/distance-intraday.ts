import { distanceSeries } from '../../mappers/activity/map-movement.ts';
import { movementPull } from './movement-pull.ts';

export const distancePull = movementPull('distance-intraday', distanceSeries);
