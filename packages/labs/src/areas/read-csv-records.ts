import { AppError } from '@pulsewire/kernel';

/** Fields of one line; quoted fields may contain commas and doubled quotes. */
function fieldsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    (quoted?.replaceAll('""', '"') ?? plain ?? '').trim(),
  );
}

/** The lines of a CSV text, keyed by its header names. Throws AppError `csv_too_long`. */
export function readCsvRecords(csv: string, linesMax: number): readonly Readonly<Record<string, string>>[] {
  const [heading = '', ...lines] = csv
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
  if (lines.length > linesMax)
    throw new AppError({ code: 'csv_too_long', kind: 'invalid', message: `The file has more than ${linesMax} lines` });
  const names = fieldsOf(heading);
  return lines.map((line) => {
    const fields = fieldsOf(line);
    return Object.fromEntries(names.map((name, i) => [name, fields[i] ?? '']));
  });
}
