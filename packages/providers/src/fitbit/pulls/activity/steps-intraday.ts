import { stepsSeries } from '../../mappers/activity/map-movement.ts';
import { movementPull } from './movement-pull.ts';

export const stepsPull = movementPull('steps-intraday', stepsSeries);
