import type { Executor } from '@pulsewire/database';
import { readTeam, type EventHeader, type TeamQuery, type TeamPage } from '@pulsewire/eventlog';
import { findHiddenUsers } from './hidden-users.ts';
import { mergePages } from './merge-pages.ts';

/** Events read from a shard for one page: when only some match, and when there is only one shard. */
const filteredLimit = 312;
const userLimit = 20_000;
const growth = 8;

export interface Page {
  readonly pages: readonly TeamPage[];
  readonly headers: readonly EventHeader[];
}

/**
 * A page of a team's events in order of time, without those of deleted users. Starts with a small page of each shard, which suffices when
 * many users are active, and continues while the page is short, up to the limit of one request.
 */
export async function readPage(
  executor: Executor,
  query: Omit<TeamQuery, 'limitPerShard'>,
  limit: number,
  isWanted: (header: EventHeader) => boolean = () => true,
): Promise<Page> {
  const isFiltered = Boolean(query.eventTypes) || query.sinceMs !== undefined || query.untilMs !== undefined;
  const sizeMax = query.userId !== undefined ? userLimit : isFiltered ? Math.max(filteredLimit, limit) : limit;
  for (let wanted = Math.ceil(limit / growth); ; wanted *= growth) {
    const size = Math.min(wanted, sizeMax);
    const read = await readTeam(executor, { ...query, limitPerShard: size });
    const hidden = await findHiddenUsers(
      executor,
      read.flatMap(({ matches }) => matches.map(({ userId }) => userId)),
    );
    const isShown = (header: EventHeader) => isWanted(header) && !hidden.has(header.userId ?? '');
    const pages = read.map((one) => ({ ...one, matches: one.matches.filter(isShown) }));
    const headers = mergePages(pages, query.direction, limit);
    const isCut = pages.some(({ hasMore }) => hasMore);
    if (headers.length > limit / 2 || !isCut || size === sizeMax) return { pages, headers };
  }
}
