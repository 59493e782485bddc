import { beforeAll, describe, expect, test } from 'vitest';
import { defaultLimits, parseIsolated, renderPdfPage, type ParseOutcome } from '@pulsewire/report-parser';
import { glucoseReport, makePdf, makeScan, type PdfLine } from './pdf.ts';
import { makePng } from './png.ts';

let report: Uint8Array;
let scan: Buffer;
beforeAll(async () => {
  report = await makePdf([glucoseReport]);
  const { pixels, width, height } = await renderPdfPage(report, 0, 40_000_000);
  scan = makePng(pixels, width, height);
});

const rowsOf = (outcome: ParseOutcome) =>
  outcome.kind === 'read'
    ? outcome.report.results.map((row) => [
        row.sourcePanelName,
        row.testName,
        row.value,
        row.units,
        row.minReferenceRange,
        row.maxReferenceRange,
        row.interpretation,
      ])
    : outcome;
const rows = [
  ['LIPID PANEL', 'Cholesterol, Total', '212', 'mg/dL', null, 200, 'abnormal'],
  ['LIPID PANEL', 'HDL Cholesterol', '55', 'mg/dL', 40, null, 'normal'],
  ['LIPID PANEL', 'Glucose', '90', 'mg/dL', 70, 99, 'normal'],
];

describe('a report', () => {
  test('is read from the text of a PDF, with its header fields', async () => {
    const outcome = await parseIsolated([report]);
    expect(rowsOf(outcome)).toEqual(rows);
    expect(outcome).toMatchObject({
      report: {
        metadata: {
          patientFirstName: 'JANE',
          patientLastName: 'DOE',
          dob: '02/01/1990',
          gender: 'female',
          labName: 'Example Diagnostics Laboratory',
          dateCollected: '01/02/2026',
          dateReported: '01/03/2026',
          specimenNumber: 'SP-9931',
        },
      },
    });
  });

  test('is read from a PDF that begins with other lines, as mail gateways add them', async () => {
    const prefixed = Buffer.concat([Buffer.from('X-Gateway: scanned\r\n\r\n'), report]);
    expect(rowsOf(await parseIsolated([prefixed]))).toEqual(rows);
  });

  test('of several scanned pages is read in their order, with time for each of them', async () => {
    const pages = Array.from({ length: 3 }, () => scan);
    expect(rowsOf(await parseIsolated([await makeScan(...pages)], { deadlineMs: 30_000, scanDeadlineMs: 60_000 }))).toEqual([
      ...rows,
      ...rows,
      ...rows,
    ]);
  }, 240_000);

  test('is read from an image and from a scanned PDF without network', async () => {
    expect(rowsOf(await parseIsolated([scan]))).toEqual(rows);
    expect(rowsOf(await parseIsolated([await makeScan(scan)]))).toEqual(rows);
  }, 60_000);
});

describe('a hostile file fails with a reason and does not affect this process', () => {
  const prose: readonly PdfLine[] = Array.from({ length: 12 }, () => [
    [40, 'The quick brown fox of the test patient ran over the laboratory in a range of dates.'],
  ]);
  const spanish: readonly PdfLine[] = Array.from({ length: 12 }, () => [
    [40, 'Resultados del análisis de sangre: glucosa, colesterol, hemoglobina y valores de referencia'],
  ]);

  test.each([
    ['an encrypted PDF', () => makePdf([glucoseReport], { password: 'secret' }), 'invalid_input'],
    ['a truncated PDF', async () => report.subarray(0, 300), 'invalid_input'],
    ['a PNG that declares more pixels than can be decoded', async () => makePng(new Uint8Array(10), 60_000, 60_000), 'invalid_input'],
    ['a truncated PNG', async () => scan.subarray(0, 24), 'invalid_input'],
    ['a PNG followed by a PDF', async () => Buffer.concat([makePng(new Uint8Array(100), 10, 10), report]), 'low_quality'],
    ['a strip of pixels', async () => makePng(new Uint8Array(4 * 10_000), 4, 10_000), 'invalid_input'],
    ['prose', () => makePdf([prose]), 'invalid_input'],
    ['a report in Spanish', () => makePdf([spanish]), 'not_english'],
  ])('a hostile file fails with a reason: %s', async (_name, make, reason) => {
    expect(await parseIsolated([await make()])).toMatchObject({ kind: 'failed', reason });
  });

  test('with the number of its pages and the most that a report may have', async () => {
    const pdf = await makePdf(Array.from({ length: 31 }, () => glucoseReport));
    expect(await parseIsolated([pdf])).toEqual({
      kind: 'failed',
      reason: 'too_many_pages',
      detail: 'The PDF has 31 pages; the maximum is 30',
    });
    expect(await parseIsolated([report, report], { limits: { ...defaultLimits, pagesMax: 1 } })).toMatchObject({
      reason: 'too_many_pages',
    });
  });

  test('when it takes too long or too much memory', async () => {
    expect(await parseIsolated([scan], { deadlineMs: 300, scanDeadlineMs: 0 })).toMatchObject({
      kind: 'failed',
      reason: 'processing_error',
      detail: 'Parsing the report took longer than 300 ms',
    });
    expect(await parseIsolated([scan], { memoryBytesMax: 100e6 })).toMatchObject({
      kind: 'failed',
      detail: 'Parsing the report needs too much memory',
    });
  });

  test('and stops at once when the caller cancels', async () => {
    const stop = new AbortController();
    const parsing = parseIsolated([scan], { signal: stop.signal });
    stop.abort(new Error('stopped'));
    await expect(parsing).rejects.toThrow('stopped');
  });
});
