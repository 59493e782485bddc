import { and, asc, count, eq, ilike, inArray, or, type SQL } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { labMarkerResults, labMarkers, labs, loincCodes } from '../model/catalogue-tables.ts';
import { notFound } from '../model/errors.ts';

export type MarkerRow = typeof labMarkers.$inferSelect;

export interface ExpectedResult {
  readonly resultId: number;
  readonly name: string;
  readonly slug: string;
  readonly labId: number;
  readonly providerId: string;
  readonly unit: string | null;
  readonly rangeMin: number | null;
  readonly rangeMax: number | null;
  readonly isRequired: boolean;
  readonly loinc: typeof loincCodes.$inferSelect | null;
}

export type MarkerWithResults = MarkerRow & { readonly expectedResults: readonly ExpectedResult[] };

export interface MarkerPage {
  readonly markers: readonly MarkerWithResults[];
  readonly total: number;
}

export interface Paging {
  readonly page: number;
  readonly size: number;
}

export interface MarkerFilter {
  readonly labIds?: readonly number[] | undefined;
  readonly labSlug?: string | undefined;
  readonly name?: string | undefined;
  readonly isALaCarte?: boolean | undefined;
}

/** Escapes text for a LIKE pattern. */
export function likeText(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

/** The markers with their expected results, in the given order. */
export async function withResults({ orm }: Executor, markers: readonly MarkerRow[]): Promise<readonly MarkerWithResults[]> {
  if (markers.length === 0) return [];
  const ids = markers.map(({ markerId }) => markerId);
  const rows = await run(
    orm
      .select({ of: labMarkerResults.markerId, isRequired: labMarkerResults.isRequired, result: labMarkers, loinc: loincCodes })
      .from(labMarkerResults)
      .innerJoin(labMarkers, eq(labMarkers.markerId, labMarkerResults.resultId))
      .leftJoin(loincCodes, eq(loincCodes.loincId, labMarkers.loincId))
      .where(inArray(labMarkerResults.markerId, ids))
      .orderBy(asc(labMarkerResults.markerId), asc(labMarkerResults.position)),
  );
  const byMarker = Map.groupBy(rows, ({ of }) => of);
  return markers.map((marker) => ({
    ...marker,
    expectedResults: (byMarker.get(marker.markerId) ?? []).map(({ isRequired, result, loinc }) => ({
      resultId: result.markerId,
      name: result.name,
      slug: result.slug,
      labId: result.labId,
      providerId: result.providerId,
      unit: result.unit,
      rangeMin: result.rangeMin,
      rangeMax: result.rangeMax,
      isRequired,
      loinc,
    })),
  }));
}

async function page(executor: Executor, where: SQL | undefined, { page: number, size }: Paging): Promise<MarkerPage> {
  const { orm } = executor;
  const rows = await run(
    orm
      .select()
      .from(labMarkers)
      .where(where)
      .orderBy(asc(labMarkers.markerId))
      .limit(size)
      .offset((number - 1) * size),
  );
  const [all] = await run(orm.select({ total: count() }).from(labMarkers).where(where));
  return { markers: await withResults(executor, rows), total: all?.total ?? 0 };
}

/** Orderable markers without reflex ones. An unknown slug matches nothing. */
export async function listMarkers(executor: Executor, filter: MarkerFilter, paging: Paging): Promise<MarkerPage> {
  const { labIds, labSlug, name = '', isALaCarte } = filter;
  const ofSlug = executor.orm
    .select({ labId: labs.labId })
    .from(labs)
    .where(eq(labs.slug, labSlug ?? ''));
  const where = and(
    eq(labMarkers.isOrderable, true),
    eq(labMarkers.isReflex, false),
    labSlug === undefined ? undefined : inArray(labMarkers.labId, ofSlug),
    labSlug === undefined && labIds !== undefined ? inArray(labMarkers.labId, [...labIds]) : undefined,
    name === '' ? undefined : ilike(labMarkers.name, `%${likeText(name)}%`),
    isALaCarte === undefined ? undefined : eq(labMarkers.aLaCarteEnabled, isALaCarte),
  );
  return page(executor, where, paging);
}

/** A page of the markers with these ids. */
export async function pageOfMarkers(executor: Executor, markerIds: readonly number[], paging: Paging): Promise<MarkerPage> {
  if (markerIds.length === 0) return { markers: [], total: 0 };
  return page(executor, inArray(labMarkers.markerId, [...markerIds]), paging);
}

/** Markers by our ids or the lab's codes; of several labs when no lab is given. */
export async function findMarkers(
  { orm }: Executor,
  wanted: { readonly markerIds?: readonly number[]; readonly providerIds?: readonly string[]; readonly labId?: number | null },
): Promise<readonly MarkerRow[]> {
  const { markerIds = [], providerIds = [], labId } = wanted;
  const ids = markerIds.length > 0 ? inArray(labMarkers.markerId, [...markerIds]) : undefined;
  const codes = providerIds.length > 0 ? inArray(labMarkers.providerId, [...providerIds]) : undefined;
  if (!ids && !codes) return [];
  const ofLab = labId === undefined || labId === null ? undefined : eq(labMarkers.labId, labId);
  return run(
    orm
      .select()
      .from(labMarkers)
      .where(and(eq(labMarkers.isOrderable, true), ofLab, or(ids, codes)))
      .orderBy(asc(labMarkers.markerId)),
  );
}

/** A marker by the lab's code. Throws AppError `marker_not_found`. */
export async function getMarker(executor: Executor, labId: number, providerId: string): Promise<MarkerRow> {
  const [marker] = await run(
    executor.orm
      .select()
      .from(labMarkers)
      .where(and(eq(labMarkers.labId, labId), eq(labMarkers.providerId, providerId))),
  );
  if (!marker) throw notFound('marker_not_found', 'Marker not found');
  return marker;
}
