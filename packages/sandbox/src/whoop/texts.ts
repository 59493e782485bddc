import type { Person } from '../kit/person/person.ts';

/** A range in database notation; without an end while it is running. */
export function during(startMs: number, endMs: number | null): string {
  const end = endMs === null ? '' : `'${new Date(endMs).toISOString()}'`;
  return `['${new Date(startMs).toISOString()}',${end})`;
}

/** `-08:00` */
export const offsetText = ({ zone }: Person, ms: number): string => zone.offsetText(ms).slice(-6);

/** `2026-03-08T07:10:00.000+0000` */
export const timeText = (ms: number): string => new Date(ms).toISOString().replace('Z', '+0000');
