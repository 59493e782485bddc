import { utcDay } from '@pulsewire/kernel';
import { renderDateTime, zoneOffsetSeconds, type CriticalResult, type ResultHistoryBody, type ResultsBody } from '@pulsewire/contract';
import { renderTransaction } from '../orders/read/render-order.ts';
import type { Transaction } from '../orders/read/transactions.ts';
import type { MeasuredResult, MissingResult, OrderResults, SourceMarker } from '../model/results.ts';

const at = (iso: string) => renderDateTime(Date.parse(iso));

/** Whole years from a birth date to a day. */
export function ageOn(birthDate: string, day: string): number {
  const years = Number(day.slice(0, 4)) - Number(birthDate.slice(0, 4));
  return day.slice(5, 10) < birthDate.slice(5) ? years - 1 : years;
}

function zoned(iso: string | null, timeZone: string | null) {
  return iso === null ? null : { timestamp: at(iso), timezone_offset: zoneOffsetSeconds(timeZone, Date.parse(iso)) ?? 0 };
}

/** The day of an instant in the time zone where the sample was taken. */
function dayOf(iso: string | null, timeZone: string | null): string | null {
  if (iso === null) return null;
  const ms = Date.parse(iso);
  return utcDay(ms + (zoneOffsetSeconds(timeZone, ms) ?? 0) * 1000);
}

export function renderResultsMetadata(results: OrderResults): ResultsBody['metadata'] {
  const { patient, timeZone, sampleId } = results;
  const reported = dayOf(results.reportedAt, timeZone) as string;
  const collected = dayOf(results.collectedAt, timeZone);
  return {
    age: String(ageOn(patient.dob, collected ?? reported)),
    dob: patient.dob,
    'clia_#': null,
    patient: patient.name,
    provider: results.physician,
    laboratory: results.lab.name,
    date_reported: reported,
    date_collected: collected,
    specimen_number: sampleId,
    date_received: dayOf(results.receivedAt, timeZone),
    status: results.status,
    interpretation: results.interpretation,
    patient_id: null,
    account_id: null,
  };
}

const renderSources = (sources: readonly SourceMarker[] | null) =>
  sources && sources.map(({ markerId, name, slug, providerId }) => ({ marker_id: markerId, name, slug, provider_id: providerId }));

function renderResult(result: MeasuredResult, { sampleId, lab }: OrderResults) {
  return {
    name: result.name,
    slug: result.slug,
    value: result.type === 'numeric' ? Number(result.result) : -1,
    result: result.result,
    type: result.type,
    unit: result.unit,
    timestamp: at(result.at),
    notes: result.note,
    reference_range: result.referenceRange,
    min_range_value: result.min,
    max_range_value: result.max,
    is_above_max_range: result.isAboveMax,
    is_below_min_range: result.isBelowMin,
    interpretation: result.interpretation,
    source_interpretation: result.flag,
    loinc: result.loinc,
    loinc_slug: result.loincSlug,
    provider_id: result.providerId,
    source_markers: renderSources(result.sourceMarkers),
    performing_laboratory: lab.slug,
    source_sample_id: sampleId,
  };
}

function renderMissing({ name, slug, failure, note, loinc, loincSlug, providerId, sourceMarkers }: MissingResult) {
  return {
    name,
    slug,
    inferred_failure_type: failure,
    note,
    loinc,
    loinc_slug: loincSlug,
    provider_id: providerId,
    source_markers: renderSources(sourceMarkers),
  };
}

function renderSample({ sampleId, timeZone, collectedAt, receivedAt, reportedAt, lab, isFasting }: OrderResults) {
  return {
    sample_id: sampleId,
    control_number: null,
    date_collected: zoned(collectedAt, timeZone),
    date_received: zoned(receivedAt, timeZone),
    date_reported: zoned(reportedAt, timeZone),
    performing_laboratories: { [lab.slug]: { name: lab.name, phone_number: null, medical_director: null, address: null } },
    clinical_information: { fasting: isFasting, notes: null, information: null, total_volume: null },
  };
}

/** `samples`: those of the combined results. */
export function renderResults(results: OrderResults, transaction: Transaction, samples: readonly OrderResults[]): ResultsBody {
  const sampleOf = new Map(samples.flatMap((sample) => sample.results.map((result) => [result, sample] as const)));
  return {
    metadata: renderResultsMetadata(results),
    results: results.results.map((result) => renderResult(result, sampleOf.get(result) ?? results)),
    missing_results: results.missing.length === 0 ? null : results.missing.map(renderMissing),
    sample_information: Object.fromEntries(samples.map((sample) => [sample.sampleId, renderSample(sample)])),
    order_transaction: renderTransaction(transaction),
  };
}

/** The values that later reports have replaced. */
export function renderResultHistory({ history = [] }: OrderResults): ResultHistoryBody {
  const data = history.map(({ name, providerId, result, unit, at: reportedAt, replacedAt }) => ({
    name,
    provider_id: providerId,
    result,
    unit,
    reported_at: at(reportedAt),
    replaced_at: at(replacedAt),
  }));
  return { data };
}

/** `data` of `labtest.result.critical`. */
export function renderCriticalResult(
  ids: { readonly orderId: string; readonly teamId: string; readonly userId: string },
  { sampleId, status, interpretation }: OrderResults,
  { createdAt, updatedAt }: { readonly createdAt: Date; readonly updatedAt: Date },
): CriticalResult {
  return {
    order_id: ids.orderId,
    sample_id: sampleId,
    status,
    interpretation,
    team_id: ids.teamId,
    user_id: ids.userId,
    created_at: renderDateTime(createdAt.getTime()),
    updated_at: renderDateTime(updatedAt.getTime()),
  };
}
