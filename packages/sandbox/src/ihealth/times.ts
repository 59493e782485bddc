import type { Person } from '../kit/person/person.ts';

/** Epoch seconds of the digits on the person's clock, as if they were UTC. */
export function wallSeconds({ zone }: Person, ms: number): number {
  return Math.floor(ms / 1000) + zone.offsetMinutes(ms) * 60;
}

/** `-0500`, and east of Greenwich `0800` without a sign. */
export function offsetDigits({ zone }: Person, ms: number): string {
  const text = zone.offsetText(ms).slice(-6).replace(':', '');
  return text.startsWith('+') ? text.slice(1) : text;
}

/** A number of hours. */
export function offsetHours({ zone }: Person, ms: number): number {
  return zone.offsetMinutes(ms) / 60;
}

/** `2024-11-17 13:01:43` */
export function wallText({ zone }: Person, ms: number): string {
  return zone.localText(ms).slice(0, 19).replace('T', ' ');
}
