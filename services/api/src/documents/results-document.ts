import { renderResults, type ResultsView } from '@pulsewire/labs';
import { Sheet } from './layout/sheet.ts';

const columns = [
  { title: 'Test', share: 0.34 },
  { title: 'Result', share: 0.2 },
  { title: 'Flag', share: 0.08 },
  { title: 'Units', share: 0.17 },
  { title: 'Reference Range', share: 0.21 },
];

type Body = ReturnType<typeof renderResults>;

function sourceOf({ source_markers: sources }: Body['results'][number]): string {
  return sources?.[0]?.name ?? 'Not ordered';
}

/** The results as a document, by ordered marker. */
export async function resultsDocument({ results, transaction, samples }: ResultsView, isSimulated: boolean): Promise<Uint8Array> {
  const { metadata, results: rows, missing_results: missing } = renderResults(results, transaction, samples);
  const at = new Date(results.reportedAt);
  const title = metadata.status === 'partial' ? 'Laboratory report (partial)' : 'Laboratory report';
  const sheet = await Sheet.create({ title, at, footer: `Specimen ${metadata.specimen_number}`, isSimulated });
  sheet.text(metadata.laboratory ?? '', { size: 12 }).fields([
    ['Patient', metadata.patient],
    ['DOB', metadata.dob],
    ['Age', metadata.age],
    ['Sex', results.patient.gender ?? null],
    ['Physician', metadata.provider ?? null],
    ['Specimen', metadata.specimen_number],
    ['Status', metadata.status],
    ['Collected', metadata.date_collected ?? null],
    ['Received', metadata.date_received ?? null],
    ['Reported', metadata.date_reported],
    ['Interpretation', metadata.interpretation ?? null],
  ]);
  for (const [source, group] of Map.groupBy(rows, sourceOf))
    sheet.heading(source).table(
      columns,
      group.map((row) => [
        row.name,
        row.result,
        row.source_interpretation === 'N' ? '' : row.source_interpretation,
        row.unit ?? '',
        row.reference_range ?? '',
      ]),
    );
  if (missing)
    sheet.heading('Not reported').table(
      [
        { title: 'Test', share: 0.4 },
        { title: 'Reason', share: 0.6 },
      ],
      missing.map(({ name, inferred_failure_type: failure, note }) => [name, note ?? failure.replaceAll('_', ' ')]),
    );
  return sheet.save();
}
