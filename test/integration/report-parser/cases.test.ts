import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { systemClock } from '@pulsewire/kernel';
import { parseIsolated, type MatchLoinc } from '@pulsewire/report-parser';
import { createAnalyteMatcher, toReportData } from '@pulsewire/service-report-parser';
import { useDatabase } from '../../support/database.ts';
import { judgeRows, type PrintedRow } from '../../bench/reports/run/judge-rows.ts';

const database = useDatabase({ hasLabData: true });
let match: MatchLoinc;
beforeAll(async () => {
  match = await createAnalyteMatcher(database.current, systemClock)();
});

interface Printed {
  readonly rows: readonly PrintedRow[];
  readonly metadata?: Readonly<Record<string, string | null>>;
}

/** The report in `cases` as the service returns it, and what its page prints. */
async function readCase(file: string) {
  const path = (name: string) => new URL(`cases/${name}`, import.meta.url);
  const printed = JSON.parse(await readFile(path(file.replace(/\.\w+$/, '.rows.json')), 'utf8')) as Printed;
  const outcome = await parseIsolated([new Uint8Array(await readFile(path(file)))], { deadlineMs: 60_000, scanDeadlineMs: 240_000 });
  const data = outcome.kind === 'read' ? toReportData(outcome.report, match) : null;
  return { printed, outcome, data, judged: judgeRows(printed.rows, data?.results ?? []) };
}

test.each([
  ['rotate-90-flag.pdf', 'a page that the file turns by 90 degrees'],
  ['two-tables.pdf', 'two tables side by side'],
  ['comparators-words.pdf', 'comparisons, words, titers and thousands'],
  ['dates-as-columns.pdf', 'dates as titles of columns, of which the last is the current one'],
  ['dates-newest-first.pdf', 'months as titles of columns, of which the first is the current one'],
  ['percent-in-value.pdf', 'percent signs in the values, which decide between share and count'],
  ['loinc-lookalikes.pdf', 'analytes that resemble others'],
  ['units-changed.pdf', 'units that resemble others, and strict limits'],
  ['decimal-comma-english.pdf', 'decimal commas in an English report'],
  ['flags-in-value.pdf', 'flags inside and around the values'],
  ['unicode-signs.pdf', 'minus signs, dashes and comparators of Unicode'],
  ['ranges-by-sex.pdf', "ranges by sex and age, of which one is the patient's"],
  ['ragged-columns.pdf', 'cells that do not stand under their titles'],
  ['inline-lines.pdf', 'results in lines of text'],
  ['comment-ranges.pdf', 'tables below results, which are no results, and names that continue below'],
  ['dashboard-two-lines.pdf', 'values below their names'],
  ['name-first.pdf', 'the name of the patient as the largest line'],
])('every row of a report is read as printed: %s, with %s', async (file) => {
  const { printed, data, judged } = await readCase(file);
  expect(judged).toEqual({ exact: printed.rows.map(({ test_name: name }) => name), doubtful: [], wrong: [], invented: [], missed: [] });
  expect(data?.unread_row_count).toBe(0);
  expect(data?.metadata).toMatchObject(printed.metadata ?? {});
});

/** Pictures with the number of rows that are surely read; the others are returned with doubts, or the report is refused. */
test.each([
  ['photo-straight.png', 'a sharp page', 12],
  ['photo-tilt-3.png', 'a page turned by three degrees', 10],
  ['photo-keystone-30.png', 'a page that is narrower above', 12],
  ['photo-keystone-60.png', 'a page that is much narrower above', 12],
  ['photo-angle-08.png', 'a page seen from the side', 11],
  ['photo-angle-15.png', 'a page seen sharply from the side', 12],
  ['photo-curl-06.png', 'curled paper', 12],
  ['exif-rotated.jpg', 'a picture stored sideways with its orientation', 12],
  ['sideways.jpg', 'a picture that lies on its side', 0],
  ['low-res-100dpi.jpg', 'a picture of few pixels', 0],
  ['faint-points.png', 'a scan with faint decimal points', 0],
])(
  'no value of a picture is wrong as certain, and most are read: %s, %s',
  async (file, _what, exactMin) => {
    const { printed, outcome, judged } = await readCase(file);
    expect([...judged.wrong, ...judged.invented]).toEqual([]);
    expect(judged.exact.length).toBeGreaterThanOrEqual(exactMin);
    if (outcome.kind === 'failed') expect(outcome.reason).toBe('low_quality');
    else expect(judged.exact.length + judged.doubtful.length).toBeGreaterThan(printed.rows.length / 2);
  },
  300_000,
);
