import { hash32 } from '../../model/seeded.ts';

// Long recordings first, with sleep or weight where the set has them, so that a few accounts already show every kind of data.
export const recordedUsers: readonly string[] = [
  '1503960366',
  '5553957443',
  '4558609924',
  '2026352035',
  '4319703577',
  '4445114986',
  '4702921684',
  '3977333714',
  '4388161847',
  '4020332650',
];

/** One of them, by the name of an account. */
export function recordedUserOf(name: string): string {
  return recordedUsers[hash32(name) % recordedUsers.length] as string;
}
