import { unitOf } from './seeded.ts';

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A person's id at Fitbit, which Google Health names too: six characters, always the same for the same name. */
export function fitbitIdOf(name: string): string {
  return Array.from({ length: 6 }, (_, place) => letters.charAt(Math.floor(unitOf(`owner:${place}:${name}`) * letters.length))).join('');
}
