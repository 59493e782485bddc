import { Type, type Static } from 'typebox';
import { nullable, openEnum, optional, Uuid } from '../fields/fields.ts';

export const parsingJobStatuses = ['upload_pending', 'started', 'completed', 'failed'] as const;
export const parsingFailureReasons = ['invalid_input', 'low_quality', 'not_english', 'too_many_pages', 'processing_error'] as const;

export const resultDoubts = ['misread', 'resolution', 'pairing', 'unit', 'scale', 'sum', 'column', 'decimal_sign'] as const;

const text = (description: string) => nullable(Type.String(), { description });
const asPrinted = 'As printed on the report.';

const LoincMatch = Type.Object(
  {
    loinc_code: Type.String({ description: 'LOINC code, for example `2345-7`.' }),
    loinc_name: Type.String(),
    display_name: Type.String({ default: '' }),
    aliases: Type.Array(Type.String()),
    confidence_score: Type.Number({ minimum: 0, maximum: 1, description: '0 to 1; the best candidate is first.' }),
  },
  { title: 'LoincMatch' },
);

const LabReportResult = Type.Object(
  {
    test_name: Type.String(),
    value: Type.String({ description: 'Always text, whatever its type.' }),
    sample_type: openEnum(['urine', 'serum_plasma_blood', 'capillary_blood', 'stool', 'saliva', 'other', 'unknown']),
    measurement_kind: openEnum(['direct', 'calculated', 'ratio', 'unknown']),
    type: nullable(openEnum(['numeric', 'range', 'comment', 'boolean', 'duration', 'percentage', 'ratio'])),
    units: text('Unit, spelled uniformly where it is known.'),
    max_reference_range: nullable(Type.Number()),
    min_reference_range: nullable(Type.Number()),
    source_panel_name: text('Title of the panel that contains the result.'),
    sensitivity: openEnum(['sensitive', 'insensitive', 'unknown'], 'Of a microorganism to an antibiotic.'),
    loinc_matches: nullable(Type.Array(LoincMatch, { maxItems: 5 })),
    loinc_match_status: nullable(openEnum(['auto_match', 'needs_review', 'no_match'])),
    interpretation: nullable(openEnum(['normal', 'abnormal', 'critical', 'unknown'])),
    is_above_max_range: nullable(Type.Boolean()),
    is_below_min_range: nullable(Type.Boolean()),
    confidence: optional(Type.Number({ minimum: 0, maximum: 1 }), {
      description: 'How certain the row is, from 0 to 1. Below 0.5 it is doubtful: not compared with its range, and never `auto_match`.',
    }),
    doubts: optional(Type.Array(openEnum(resultDoubts)), {
      description:
        'Why the row may be wrong: `misread` and `resolution` by OCR, `pairing` of name and value, a `unit` of another test, `scale` as if a decimal point were lost, `sum` of results that belong together, `column` of several, `decimal_sign`.',
    }),
  },
  { title: 'LabReportResult' },
);

const ReportMetadata = Type.Object(
  {
    patient_first_name: text(asPrinted),
    patient_last_name: text(asPrinted),
    dob: text(asPrinted),
    gender: openEnum(['male', 'female', 'other'], '`other` also when the report does not state it.'),
    lab_name: text(asPrinted),
    date_reported: text(asPrinted),
    date_collected: text(asPrinted),
    specimen_number: text(asPrinted),
  },
  { title: 'ReportMetadata' },
);

/** The parsed data of a report. */
export const ParsedReportData = Type.Object(
  {
    metadata: ReportMetadata,
    results: Type.Array(LabReportResult),
    unread_row_count: optional(Type.Integer({ minimum: 0 }), {
      description: 'Lines with the name of a usual test and a number that are not among the results.',
    }),
  },
  { title: 'ParsedReportData' },
);
export type ParsedReportData = Static<typeof ParsedReportData>;

/** A job of the report parser, and data of `lab_report.parsing_job.*`. */
export const ParsingJob = Type.Object(
  {
    id: Uuid,
    job_id: optional(Uuid, { description: 'The same as `id`, for older clients.' }),
    status: openEnum(parsingJobStatuses, 'A report that awaits review is `started`, with `needs_human_review` and without `is_reviewed`.'),
    failure_reason: nullable(openEnum(parsingFailureReasons)),
    data: nullable(ParsedReportData, { description: 'Null until the job is completed.' }),
    needs_human_review: Type.Boolean(),
    is_reviewed: Type.Boolean(),
  },
  { title: 'ParsingJob' },
);
export type ParsingJob = Static<typeof ParsingJob>;
