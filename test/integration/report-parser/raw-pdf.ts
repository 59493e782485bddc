import { deflateSync } from 'node:zlib';

interface RawStream {
  /** Entries of its dictionary without the length, for example `/Type /XObject`. */
  readonly dictionary: string;
  readonly content: Buffer;
}

/** A PDF of these objects, numbered from 1, of which the first is the catalogue; they may be malformed in any way. */
export function rawPdf(objects: readonly (string | RawStream)[]): Uint8Array {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n', 'latin1')];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  const add = (part: Buffer) => {
    parts.push(part);
    length += part.length;
  };
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    add(Buffer.from(`${index + 1} 0 obj\n`, 'latin1'));
    if (typeof object === 'string') add(Buffer.from(object, 'latin1'));
    else {
      add(Buffer.from(`<< ${object.dictionary} /Length ${object.content.length} >>\nstream\n`, 'latin1'));
      add(object.content);
      add(Buffer.from('\nendstream', 'latin1'));
    }
    add(Buffer.from('\nendobj\n', 'latin1'));
  }
  const start = length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  add(Buffer.from(table, 'latin1'));
  return new Uint8Array(Buffer.concat(parts));
}

export const catalogue = '<< /Type /Catalog /Pages 2 0 R >>';
export const onePage = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>';
/** The page is object 3 and its content object 4. */
export const pageWith = (resources: string, box = '0 0 612 792') =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] /Contents 4 0 R /Resources << ${resources} >> >>`;
export const content = (text: string): RawStream => ({ dictionary: '', content: Buffer.from(text, 'latin1') });

/** A stream that inflates to `bytes` bytes of the repeated text. */
export function bomb(dictionary: string, text: string, bytes: number): RawStream {
  return { dictionary: `${dictionary} /Filter /FlateDecode`, content: deflateSync(Buffer.alloc(bytes, text), { level: 9 }) };
}
