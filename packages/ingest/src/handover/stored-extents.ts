import { utcDay, addDays } from '@pulsewire/kernel';
import { type Tx } from '@pulsewire/database';
import { readDataExtents } from '@pulsewire/store';
import type { Pullable } from '../context/pullable.ts';
import type { Calendar } from './calendar.ts';

/** The first and the last stored day of a resource. */
export interface StoredExtent {
  readonly first: string;
  /** Tomorrow at the latest: a clock that is years ahead must not decide about as many days. */
  readonly last: string;
}

/** What is stored of each resource of a provider. */
export async function readStoredExtents(
  tx: Tx,
  { connection }: Pick<Pullable, 'connection'>,
  provider: string,
  { dayOf, today }: Calendar,
): Promise<ReadonlyMap<string, StoredExtent>> {
  const extents = await readDataExtents(tx, { teamId: connection.teamId, userIds: [connection.userId], provider });
  const tomorrow = addDays(today, 1);
  return new Map(
    extents.map(({ resource, oldest, newest, days }) => {
      // The date of a summary is given as midnight of UTC.
      const read = (at: Date) => (days === null ? dayOf(at.getTime()) : utcDay(at));
      const last = read(newest);
      return [resource, { first: read(oldest), last: last < tomorrow ? last : tomorrow }];
    }),
  );
}
