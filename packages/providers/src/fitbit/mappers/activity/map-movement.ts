import type { Quarantined } from '@pulsewire/contract';
import { roundTo } from '../../../kit/values/numbers.ts';
import { groupOf, type MapContext, type Mapped } from '../../context/map-context.ts';
import { allMinutes, readDayTotals, readMinutes, type ConvertMinute } from './map-minutes.ts';

/** A series of movement: its name with us, its name at Fitbit, and the way from Fitbit's unit to ours. */
export interface MovementSeries {
  readonly resource: string;
  readonly series: string;
  readonly convert: ConvertMinute;
}

/** Kilometres to metres, with a centimetre kept. */
export function kilometresToMetres(km: number): number {
  return roundTo(km * 1000, 2);
}

export const stepsSeries: MovementSeries = { resource: 'steps', series: 'steps', convert: (count) => count };
export const distanceSeries: MovementSeries = { resource: 'distance', series: 'distance', convert: kilometresToMetres };
export const floorsSeries: MovementSeries = { resource: 'floors_climbed', series: 'floors', convert: (count) => count };

/** An intraday answer of steps, distance or floors as samples a minute, or as the day's total where it has no minutes. */
export function mapMovementDay(body: unknown, movement: MovementSeries, day: string, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  const minutes = readMinutes(body, { ...movement, day }, context, quarantined);
  const samples = minutes ?? readDayTotals(body, movement, context, quarantined);
  const allOf = allMinutes(movement.resource, day, minutes, context);
  return { records: groupOf(movement.resource, 'watch', samples), quarantined, allOf };
}

/** A range answer of steps, distance or floors as one sample a day: for applications that Fitbit grants no minutes. */
export function mapMovementTotals(body: unknown, movement: MovementSeries, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  return { records: groupOf(movement.resource, 'watch', readDayTotals(body, movement, context, quarantined)), quarantined };
}
