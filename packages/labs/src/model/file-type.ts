type FileType = 'application/pdf' | 'image/jpeg' | 'image/png';

const imageSignatures: readonly (readonly [FileType, readonly number[]])[] = [
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
];

/** Mail gateways and printers put lines before a PDF; readers of PDF accept its header anywhere in the first kilobyte. */
const pdfHeaderWithin = 1024;

/** The type of a file by its first bytes; null for types that are not read. */
export function fileTypeOf(bytes: Uint8Array): FileType | null {
  const image = imageSignatures.find(([, signature]) => signature.every((byte, index) => bytes[index] === byte));
  if (image) return image[0];
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, pdfHeaderWithin));
  return start.includes('%PDF-') ? 'application/pdf' : null;
}
