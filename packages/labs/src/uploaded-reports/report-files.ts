import { AppError } from '@pulsewire/kernel';
import { fileTypeOf } from '../model/file-type.ts';

/** An uploaded file. */
export interface ReportFile {
  readonly bytes: Uint8Array;
  /** Content type of its part, as sent; null without one. */
  readonly declaredType: string | null;
}

/** Of all files of a report together. */
export const reportBytesMax = 10 * 1024 * 1024;
export const reportFilesMax = 8;

const aliases: Readonly<Record<string, string>> = { 'image/jpg': 'image/jpeg', 'application/x-pdf': 'application/pdf' };

const invalid = (message: string) => new AppError({ code: 'report_file_invalid', kind: 'invalid', message });

/**
 * Content types of the files of one report: a PDF, or images of its pages. The content decides; clients that stream a file declare
 * `application/octet-stream`. Throws AppError `report_file_invalid`.
 */
export function checkReportFiles(files: readonly ReportFile[]): readonly string[] {
  if (files.length === 0) throw invalid('The report has no file');
  if (files.length > reportFilesMax) throw invalid(`A report has at most ${reportFilesMax} files`);
  const types = files.map(({ bytes, declaredType }, index) => {
    const place = files.length === 1 ? 'The file' : `File ${index + 1}`;
    if (bytes.length === 0) throw invalid(`${place} is empty`);
    const type = fileTypeOf(bytes);
    if (type === null) throw invalid(`${place} is not a PDF, JPEG or PNG`);
    const declared = declaredType?.split(';')[0]?.trim().toLowerCase() ?? 'application/octet-stream';
    if (declared !== 'application/octet-stream' && (aliases[declared] ?? declared) !== type)
      throw invalid(`${place} is declared as ${declared.slice(0, 60)} but its content is ${type}`);
    return type;
  });
  if (types.length > 1 && types.includes('application/pdf')) throw invalid('Several files must all be images; send a PDF alone');
  return types;
}
