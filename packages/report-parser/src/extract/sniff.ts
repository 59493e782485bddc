export type FileType = 'application/pdf' | 'image/jpeg' | 'image/png';

const imageSignatures: readonly (readonly [FileType, readonly number[]])[] = [
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
];

/** Readers of PDF accept its header anywhere in the first kilobyte, because mail gateways and printers put lines before it. */
const pdfHeaderWithin = 1024;

/** The type of a file by its first bytes; undefined for unsupported types. */
export function sniffFileType(bytes: Uint8Array): FileType | undefined {
  const image = imageSignatures.find(([, signature]) => signature.every((byte, index) => bytes[index] === byte));
  if (image) return image[0];
  return Buffer.from(bytes.subarray(0, pdfHeaderWithin)).includes('%PDF-') ? 'application/pdf' : undefined;
}
