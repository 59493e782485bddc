import type { ParsedReportData } from '@pulsewire/contract';
import type { MatchLoinc, ReadReport, ReadResult } from '@pulsewire/report-parser';

/** The parsed data as it is stored and returned, each result with its LOINC candidates. */
export function toReportData({ metadata, results }: ReadReport, match: MatchLoinc): ParsedReportData {
  return {
    metadata: {
      patient_first_name: metadata.patientFirstName,
      patient_last_name: metadata.patientLastName,
      dob: metadata.dob,
      gender: metadata.gender,
      lab_name: metadata.labName,
      date_reported: metadata.dateReported,
      date_collected: metadata.dateCollected,
      specimen_number: metadata.specimenNumber,
    },
    results: results.map((result) => toResult(result, match)),
  };
}

/** Of the generated noisy scans, a tenth of the results are below, and most of those with a wrong number. */
const confidenceMin = 50;

/** Positions of the results whose numbers may be misread. */
export const doubtfulResults = ({ results }: ReadReport): readonly number[] =>
  results.flatMap(({ confidence }, position) => (confidence !== null && confidence < confidenceMin ? [position] : []));

function toResult(result: ReadResult, match: MatchLoinc): ParsedReportData['results'][number] {
  const { matches, status } = match(result.testName, result.units, result.sampleType);
  return {
    test_name: result.testName,
    value: result.value,
    sample_type: result.sampleType,
    measurement_kind: result.measurementKind,
    type: result.type,
    units: result.units,
    max_reference_range: result.maxReferenceRange,
    min_reference_range: result.minReferenceRange,
    source_panel_name: result.sourcePanelName,
    sensitivity: 'unknown',
    loinc_matches: matches.map((candidate) => ({
      loinc_code: candidate.loincCode,
      loinc_name: candidate.loincName,
      display_name: candidate.displayName,
      aliases: [...candidate.aliases],
      confidence_score: candidate.confidenceScore,
    })),
    loinc_match_status: status,
    interpretation: result.interpretation,
    is_above_max_range: result.isAboveMaxRange,
    is_below_min_range: result.isBelowMinRange,
  };
}
