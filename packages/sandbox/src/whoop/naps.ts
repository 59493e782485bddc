import { minuteMs } from '@pulsewire/kernel';
import { dayNumber } from '../model/calendar.ts';
import type { Person } from '../kit/person/person.ts';
import type { PersonDay, Sleep } from '../kit/person/types.ts';
import { uuidOf } from '../kit/person/uuid-of.ts';

/** What nights and naps have in common. */
export type Rest = Pick<Sleep, 'uuid' | 'startMs' | 'endMs' | 'stages' | 'secondsOf' | 'latencySeconds' | 'respiratoryRate'> & {
  readonly score: number | null;
};

/** Twenty-five minutes after lunch, every fourth day: ten awake, fifteen of light sleep, no score. */
export function napOf({ name, zone, syncedMs }: Person, { date, sleeps }: PersonDay): Rest | undefined {
  const startMs = zone.toInstant(date, 14 * 3600);
  const [middleMs, endMs] = [startMs + 10 * minuteMs, startMs + 25 * minuteMs];
  const [night] = sleeps;
  if (dayNumber(date) % 4 !== 1 || endMs > syncedMs() || !night) return undefined;
  return {
    uuid: uuidOf(`whoop nap:${name}:${date}`),
    startMs,
    endMs,
    stages: [
      { stage: 'awake', startMs, endMs: middleMs },
      { stage: 'light', startMs: middleMs, endMs },
    ],
    secondsOf: { awake: 600, light: 900, deep: 0, rem: 0 },
    latencySeconds: 600,
    respiratoryRate: night.respiratoryRate,
    score: null,
  };
}
