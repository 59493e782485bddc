import type { Route } from '../../../route/route.ts';
import { acceptUnmatchedResultRoute } from './accept-unmatched.ts';
import { getUnmatchedResultRoute } from './get-unmatched.ts';
import { listUnmatchedResultsRoute } from './list-unmatched.ts';
import { resolveUnmatchedResultRoute } from './resolve-unmatched.ts';

export const unmatchedRoutes: readonly Route[] = [
  listUnmatchedResultsRoute,
  getUnmatchedResultRoute,
  acceptUnmatchedResultRoute,
  resolveUnmatchedResultRoute,
];
