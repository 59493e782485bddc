import { floorsSeries } from '../../mappers/activity/map-movement.ts';
import { movementPull } from './movement-pull.ts';

export const floorsPull = movementPull('floors-intraday', floorsSeries);
