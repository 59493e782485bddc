import { utcDay, addDays } from '@pulsewire/kernel';
import type { DayStart, ResourceHandover, Span } from '@pulsewire/connections';
import { createZoneFinder } from '@pulsewire/providers';
import type { Pullable } from '../context/pullable.ts';

/** The local days of the successor's account, by which both connections of a handover are divided. */
export interface Calendar {
  readonly today: string;
  startOf(day: string): DayStart;
  dayOf(ms: number): string;
  /** One day. */
  spanOf(day: string): Span & { readonly to: DayStart };
}

export function openCalendar({ connection }: Pick<Pullable, 'connection'>, handover: ResourceHandover, now: Date): Calendar {
  const { isSuccessor, successor } = handover;
  const zoneOn = createZoneFinder(isSuccessor ? connection.account : successor.facts, connection.fallbackTimeZone);
  const startOf = (day: string): DayStart => ({ day, ms: zoneOn(day).startOfDay(day).ms });
  const dayOf = (ms: number) => zoneOn(utcDay(ms)).dayOf(ms);
  const spanOf = (day: string) => ({ from: startOf(day), to: startOf(addDays(day, 1)) });
  return { today: dayOf(now.getTime()), startOf, dayOf, spanOf };
}
