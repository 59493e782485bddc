import type { ExpectedResult, MarkerWithResults } from '../catalogue/markers.ts';
import type { OrderView } from '../orders/read/read-orders.ts';
import type { PartnerResult } from '../partners/partner.ts';
import type { LabReport } from './lab-report.ts';
import { compare, interpret, overall, readRange, typeOf, writeRange } from './interpret.ts';
import { asMissing } from './not-measured.ts';
import { readNumber } from './read-number.ts';
import type { MeasuredResult, MissingResult, OrderResults, SourceMarker } from '../model/results.ts';

interface Expected {
  readonly result: ExpectedResult;
  readonly sources: readonly SourceMarker[];
}

/** The expected results by the lab's code, each with every ordered marker that includes it. */
function expectedByCode(markers: readonly MarkerWithResults[]): ReadonlyMap<string, Expected> {
  const pairs = markers.flatMap(({ markerId, name, slug, providerId, expectedResults }) =>
    expectedResults.map((result) => ({ result, source: { markerId, name, slug, providerId } })),
  );
  return new Map(
    [...Map.groupBy(pairs, ({ result }) => result.providerId)].map(([code, same]) => [
      code,
      { result: (same[0] as (typeof same)[number]).result, sources: same.map(({ source }) => source) },
    ]),
  );
}

function identify(expected: Expected | undefined, providerId: string, name: string | null) {
  return {
    name: expected?.result.name ?? name ?? providerId,
    slug: expected?.result.slug ?? '',
    loinc: expected?.result.loinc?.code ?? null,
    loincSlug: expected?.result.loinc?.slug ?? null,
    providerId,
    sourceMarkers: expected?.sources ?? null,
  };
}

function measured(reported: PartnerResult, expected: Expected | undefined): MeasuredResult {
  const { providerId, name, value, unit, referenceRange, flag, note, at } = reported;
  // What the lab calls numeric and is no number is shown as its text.
  const type = reported.type === undefined || (reported.type === 'numeric' && readNumber(value) === null) ? typeOf(value) : reported.type;
  const range = (referenceRange === null ? null : readRange(referenceRange)) ?? { min: null, max: null };
  const { min, max } = range;
  const place = compare(value, type, range);
  const number = type === 'numeric' ? readNumber(value) : null;
  return {
    ...identify(expected, providerId, name),
    type,
    // As a plain number, which `1,250.5` and `1.2E6` are not.
    result: number === null || /^-?\d+(?:\.\d+)?$/.test(value) ? value : String(number),
    unit,
    referenceRange: referenceRange ?? writeRange(range),
    min,
    max,
    ...place,
    interpretation: interpret(flag, isInside(value, referenceRange, place)),
    flag: flag ?? '',
    note,
    at: at.toISOString(),
  };
}

/** Whether the value is as the reference says, in its range or by the same words; null when it could not be compared. */
function isInside(value: string, reference: string | null, { isAboveMax, isBelowMin }: ReturnType<typeof compare>): boolean | null {
  if (isAboveMax !== null || isBelowMin !== null) return isAboveMax !== true && isBelowMin !== true;
  const words = (text: string) =>
    text
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, ' ');
  return reference !== null && words(reference) === words(value) ? true : null;
}

/** Expected results that a final report lacks; those that the lab reports as missing come first. */
function missingOf(report: LabReport, byCode: ReadonlyMap<string, Expected>): readonly MissingResult[] {
  const reported = report.missing.map(({ providerId, name = null, failure, note, at = report.at }) => ({
    ...identify(byCode.get(providerId), providerId, name),
    failure,
    note,
    at: at.toISOString(),
  }));
  if (report.status === 'partial') return reported;
  const known = new Set([...report.results, ...report.missing].map(({ providerId }) => providerId));
  const left = [...byCode].filter(([code, { result }]) => result.isRequired && !known.has(code));
  return [
    ...reported,
    ...left.map(([code, expected]) => ({ ...identify(expected, code, null), failure: 'unknown_failure', note: null, isInferred: true })),
  ];
}

/** The report with what was not measured among the missing results. */
function withoutUnmeasured(report: LabReport): LabReport {
  const unmeasured = report.results.flatMap((result) => asMissing(result) ?? []);
  const ids = new Set(unmeasured.map(({ providerId }) => providerId));
  return {
    ...report,
    results: report.results.filter((result) => asMissing(result) === null),
    missing: [...report.missing.filter(({ providerId }) => !ids.has(providerId)), ...unmeasured],
  };
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** The results of an order, from its lab's report. `markers`: those ordered. */
export function buildResults(
  { secrets, test }: Pick<OrderView, 'secrets' | 'test'>,
  markers: readonly MarkerWithResults[],
  timeZone: string | null,
  given: LabReport,
): OrderResults {
  const byCode = expectedByCode(markers);
  const report = withoutUnmeasured(given);
  const results = report.results.map((reported) => measured(reported, byCode.get(reported.providerId)));
  const { patient, physician } = secrets;
  const nameOf = (person: typeof patient) => `${text(person?.['first_name'])} ${text(person?.['last_name'])}`.trim();
  return {
    status: report.status,
    interpretation: overall(results.map(({ interpretation }) => interpretation)),
    sampleId: report.sampleId,
    patient: { name: nameOf(patient), dob: text(patient?.['dob']), gender: text(patient?.['gender']) },
    physician: physician && nameOf(physician),
    lab: { slug: test.lab.slug, name: test.lab.name },
    isFasting: test.fasting,
    timeZone,
    collectedAt: report.collectedAt?.toISOString() ?? null,
    receivedAt: report.receivedAt?.toISOString() ?? null,
    reportedAt: report.at.toISOString(),
    results,
    missing: missingOf(report, byCode),
  };
}
