import { and, arrayContains, asc, count, eq, gt, gte, lt, or, type SQL } from 'drizzle-orm';
import { isUuid } from '@pulsewire/kernel';
import { run } from '@pulsewire/database';
import type { LabRow } from '../catalogue/lab.ts';
import type { LabsContext } from '../context/context.ts';
import { labs } from '../model/catalogue-tables.ts';
import { notFound } from '../model/errors.ts';
import { labUnmatchedResults } from '../model/order-tables.ts';
import { labSealContext } from '../model/sealed-columns.ts';
import { searchHashes } from '../orders/sealed/name-hashes.ts';
import { readTeamKey } from '../orders/sealed/team-key.ts';
import type { UnmatchedRow } from './emit-review.ts';
import type { ReviewDetails } from './report.ts';

export interface UnmatchedResult {
  readonly row: UnmatchedRow;
  readonly lab: LabRow;
  readonly details: ReviewDetails;
}

export interface UnmatchedFilter {
  readonly decisionCode?: string | undefined;
  readonly labSlug?: string | undefined;
  readonly status?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly search?: string | undefined;
}

export function openDetails({ cipher }: Pick<LabsContext, 'cipher'>, { resultId, details }: UnmatchedRow): ReviewDetails {
  return JSON.parse(cipher.open(details, labSealContext('lab_unmatched_results', resultId))) as ReviewDetails;
}

async function searched(context: LabsContext, teamId: string, text: string | undefined): Promise<SQL | undefined> {
  if (text === undefined || text.trim() === '') return undefined;
  if (isUuid(text.trim())) return eq(labUnmatchedResults.resultId, text.trim());
  return arrayContains(labUnmatchedResults.nameHashes, searchHashes(await readTeamKey(context.database, context, teamId), text));
}

const selection = { row: labUnmatchedResults, lab: labs };

/** A page of the team's results that await review, oldest first, starting after a position in the list; and the total count. */
export async function listUnmatchedResults(
  context: LabsContext,
  teamId: string,
  filter: UnmatchedFilter,
  page: { readonly after: { readonly at: Date; readonly resultId: string } | null; readonly limit: number },
): Promise<{ readonly results: readonly UnmatchedResult[]; readonly total: number }> {
  const { orm } = context.database;
  const { createdAt, resultId } = labUnmatchedResults;
  const given = <T>(value: T | undefined, condition: (value: T) => SQL) => (value === undefined ? undefined : condition(value));
  const where = and(
    eq(labUnmatchedResults.teamId, teamId),
    given(filter.decisionCode, (code) => eq(labUnmatchedResults.decisionCode, code)),
    given(filter.labSlug, (slug) => eq(labs.slug, slug)),
    given(filter.status, (status) => eq(labUnmatchedResults.status, status)),
    given(filter.from, (at) => gte(createdAt, at)),
    given(filter.to, (at) => lt(createdAt, at)),
    await searched(context, teamId, filter.search),
  );
  const { after, limit } = page;
  const behind = after === null ? undefined : or(gt(createdAt, after.at), and(eq(createdAt, after.at), gt(resultId, after.resultId)));
  const joined = () => orm.select(selection).from(labUnmatchedResults).innerJoin(labs, eq(labs.labId, labUnmatchedResults.labId));
  const rows = await run(joined().where(and(where, behind)).orderBy(asc(createdAt), asc(resultId)).limit(limit));
  const [all] = await run(
    orm.select({ total: count() }).from(labUnmatchedResults).innerJoin(labs, eq(labs.labId, labUnmatchedResults.labId)).where(where),
  );
  return { results: rows.map(({ row, lab }) => ({ row, lab, details: openDetails(context, row) })), total: all?.total ?? 0 };
}

/** Throws AppError `unmatched_result_not_found`. */
export async function getUnmatchedResult(context: LabsContext, teamId: string, resultId: string): Promise<UnmatchedResult> {
  const mine = and(eq(labUnmatchedResults.teamId, teamId), eq(labUnmatchedResults.resultId, resultId));
  const [found] = await run(
    context.database.orm.select(selection).from(labUnmatchedResults).innerJoin(labs, eq(labs.labId, labUnmatchedResults.labId)).where(mine),
  );
  if (!found) throw notFound('unmatched_result_not_found', 'Unmatched result not found');
  return { ...found, details: openDetails(context, found.row) };
}
