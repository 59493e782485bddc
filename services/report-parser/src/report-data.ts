import type { ParsedReportData } from '@pulsewire/contract';
import { isFinding, type MatchLoinc, type ReadReport, type ReadResult } from '@pulsewire/report-parser';

/** The parsed data as it is stored and returned, each result with its LOINC candidates. */
export function toReportData({ metadata, results, unreadRows }: ReadReport, match: MatchLoinc): ParsedReportData {
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
    unread_row_count: unreadRows,
  };
}

/** Positions of the results that may be wrong. */
export const doubtfulResults = ({ results }: ReadReport): readonly number[] =>
  results.flatMap(({ doubts }, position) => (doubts.length > 0 ? [position] : []));

/** Confidence of a doubtful result at most, and of one that was read from a text layer, which has no errors of OCR. */
const confidences = { doubtful: 0.3, text: 0.99 };

function confidenceOf({ confidence, doubts }: ReadResult): number {
  const read = confidence === null ? confidences.text : confidence / 100;
  return doubts.length > 0 ? Math.min(read, confidences.doubtful) : read;
}

function toResult(result: ReadResult, match: MatchLoinc): ParsedReportData['results'][number] {
  const { matches, status: matched } = match(result.testName, result.units, result.sampleType, isFinding(result.value));
  const status = matched === 'auto_match' && result.doubts.length > 0 ? 'needs_review' : matched;
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
    confidence: confidenceOf(result),
    doubts: [...result.doubts],
  };
}
