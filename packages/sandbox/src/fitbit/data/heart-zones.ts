import type { AccountDay } from '../accounts/types.ts';
import { minuteValue } from './minutes.ts';

export interface HeartZone {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly minutes: number;
  readonly caloriesOut: number;
}

const bounds = [
  { name: 'Out of Range', min: 30, max: 98 },
  { name: 'Fat Burn', min: 98, max: 137 },
  { name: 'Cardio', min: 137, max: 166 },
  { name: 'Peak', min: 166, max: 220 },
] as const;

/** Time and energy in each zone over the given minutes of a day. Empty for a tracker without heart rate. */
export function heartZonesOf(day: AccountDay | undefined, minutes: readonly number[] = day?.minutes ?? []): HeartZone[] {
  if (!day?.heart) return [];
  return bounds.map((zone) => {
    const inside = minutes.filter((minute) => {
      const bpm = minuteValue(day, 'heart', minute) ?? 0;
      return bpm >= zone.min && bpm < zone.max;
    });
    const caloriesOut = inside.reduce((sum, minute) => sum + (minuteValue(day, 'calories', minute) ?? 0), 0);
    return { ...zone, minutes: inside.length, caloriesOut: Math.round(caloriesOut * 100) / 100 };
  });
}
