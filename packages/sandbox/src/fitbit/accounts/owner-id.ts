import { unitOf } from '../../model/seeded.ts';

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Six characters as the provider's encoded ids have them; the same name always has the same id. */
export function ownerIdOf(name: string): string {
  return Array.from({ length: 6 }, (_, place) => letters.charAt(Math.floor(unitOf(`owner:${place}:${name}`) * letters.length))).join('');
}
