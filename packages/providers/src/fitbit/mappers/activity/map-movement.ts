import type { Quarantined } from '@pulsewire/contract';
import { roundTo } from '../../../kit/values/numbers.ts';
import { groupOf, type MapContext, type Mapped } from '../../context/map-context.ts';
import { allMinutes, readDayTotals, readMinutes, type ConvertMinute } from './map-minutes.ts';

/** A series of movement: our name, Fitbit's name, and the conversion from Fitbit's unit to ours. */
export interface MovementSeries {
  readonly resource: string;
  readonly series: string;
  readonly convert: ConvertMinute;
}

/** Kilometres to metres, rounded to a centimetre. */
export function kilometresToMetres(km: number): number {
  return roundTo(km * 1000, 2);
}

export const stepsSeries: MovementSeries = { resource: 'steps', series: 'steps', convert: (count) => count };
export const distanceSeries: MovementSeries = { resource: 'distance', series: 'distance', convert: kilometresToMetres };
export const floorsSeries: MovementSeries = { resource: 'floors_climbed', series: 'floors', convert: (count) => count };

/** Maps an intraday response of steps, distance or floors to samples per minute, or to the day's total when it has no minutes. */
export function mapMovementDay(body: unknown, movement: MovementSeries, day: string, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  const minutes = readMinutes(body, { ...movement, day }, context, quarantined);
  const samples = minutes ?? readDayTotals(body, movement, context, quarantined);
  const allOf = allMinutes(movement.resource, day, minutes, context);
  return { records: groupOf(movement.resource, 'watch', samples), quarantined, allOf };
}

/** Maps a range response of steps, distance or floors to one sample per day: for applications without access to minutes. */
export function mapMovementTotals(body: unknown, movement: MovementSeries, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  return { records: groupOf(movement.resource, 'watch', readDayTotals(body, movement, context, quarantined)), quarantined };
}
