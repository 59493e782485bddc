import { floorsSeries } from '../mappers/map-movement.ts';
import { movementPull } from './movement-pull.ts';

export const floorsPull = movementPull('floors-intraday', floorsSeries);
