import { afterAll, expect, test } from 'vitest';
import { parseIsolated } from '@pulsewire/report-parser';
import { glucoseReport, makePdf } from './pdf.ts';
import { bomb, catalogue, content, onePage, pageWith, rawPdf } from './raw-pdf.ts';

const megabyte = 1024 ** 2;
const draw = 'q 612 0 0 792 0 0 cm /X Do Q\n';
const picture = (side: number, bytes: number) =>
  bomb(`/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /ColorSpace /DeviceGray /BitsPerComponent 8`, 'x', bytes);
const font = '/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>';
const form = '/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /X 5 0 R >> >>';
const descriptor = '<< /Type /FontDescriptor /FontName /Abc /Flags 4 /FontFile2 7 0 R >>';
const trueType = '<< /Type /Font /Subtype /TrueType /BaseFont /Abc /FirstChar 0 /LastChar 255 /FontDescriptor 6 0 R >>';
/** A JPEG of nothing but a header that declares 60,000 by 60,000 pixels. */
const largeJpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0000b08ea60ea6001011100ffd9', 'hex');

// Limits that are lower than usual, so that the test is quick: which of them a file exceeds first depends on the machine.
const limits = { deadlineMs: 8000, scanDeadlineMs: 8000, memoryBytesMax: 700 * megabyte };

test.each<[name: string, file: () => Uint8Array, reasons: readonly string[]]>([
  ['a tree of pages that contains itself', () => rawPdf([catalogue, '<< /Type /Pages /Kids [2 0 R] /Count 1 >>']), ['invalid_input']],
  [
    'a count of pages below zero',
    () => rawPdf([catalogue, '<< /Type /Pages /Kids [3 0 R] /Count -5 >>', pageWith(''), content('')]),
    ['invalid_input'],
  ],
  [
    'drawing instructions that call themselves twice',
    () => rawPdf([catalogue, onePage, pageWith('/XObject << /X 5 0 R >>'), content(draw), { ...content('/X Do /X Do'), dictionary: form }]),
    ['processing_error', 'low_quality'],
  ],
  [
    'text that inflates to 200 MB',
    () => rawPdf([catalogue, onePage, pageWith(font), bomb('', 'BT /F 10 Tf 40 700 Td (Glucose 90 mg/dL) Tj ET\n', 200 * megabyte)]),
    ['processing_error', 'invalid_input'],
  ],
  [
    'a picture that inflates to 400 MB',
    () => rawPdf([catalogue, onePage, pageWith('/XObject << /X 5 0 R >>'), content(draw), picture(20_000, 400 * megabyte)]),
    ['processing_error', 'low_quality'],
  ],
  [
    'a picture drawn 20,000 times',
    () => rawPdf([catalogue, onePage, pageWith('/XObject << /X 5 0 R >>'), content(draw.repeat(20_000)), picture(700, 490_000)]),
    ['processing_error', 'low_quality'],
  ],
  [
    'a damaged font',
    () =>
      rawPdf([
        catalogue,
        onePage,
        pageWith('/Font << /F 5 0 R >>'),
        content('BT /F 10 Tf 40 700 Td (Glucose) Tj ET'),
        trueType,
        descriptor,
        { dictionary: '/Length1 100000', content: Buffer.alloc(100_000, 1) },
      ]),
    ['invalid_input', 'low_quality', 'processing_error'],
  ],
  ['200,000 nested arrays', () => rawPdf([catalogue, onePage, pageWith(`/Font ${'['.repeat(200_000)}`), content('')]), ['invalid_input']],
  ['the header of a PDF and nothing else', () => Buffer.from('%PDF-1.7\n'), ['invalid_input']],
  ['the header of a JPEG with 3,600 million pixels', () => largeJpeg, ['invalid_input']],
  ['the first bytes of a JPEG', () => largeJpeg.subarray(0, 3), ['invalid_input']],
])(
  '%s fails within the limits',
  async (_name, file, reasons) => {
    const outcome = await parseIsolated([file()], limits);
    expect(outcome.kind).toBe('failed');
    if (outcome.kind === 'failed') expect(reasons).toContain(outcome.reason);
  },
  60_000,
);

// A hostile file must leave nothing behind that harms the next report.
afterAll(async () => {
  const { kind } = await parseIsolated([await makePdf([glucoseReport])]);
  expect(kind).toBe('read');
}, 60_000);
