import { refused } from '../../model/errors.ts';
import type { FilePart, OrderFile } from './order-files.ts';

type Fields = Readonly<Record<string, unknown>>;

const magic: Readonly<Record<string, string>> = { 'image/jpeg': 'ffd8ff', 'image/png': '89504e470d0a1a0a' };
const insuranceImages = {
  front_image: 'insurance_front',
  back_image: 'insurance_back',
  patient_signature_image: 'patient_signature',
} as const;

function readImage(name: string, part: FilePart, value: unknown): readonly OrderFile[] {
  if (value === undefined || value === null) return [];
  const { content, content_type: contentType } = value as { readonly content: string; readonly content_type: string };
  const bytes = Buffer.from(content, 'base64');
  const start = magic[contentType];
  if (start === undefined || !bytes.toString('hex', 0, 8).startsWith(start))
    throw refused('image_invalid', `${name} is not an image of the type ${contentType}`);
  return [{ part, contentType, content: bytes }];
}

/** A request's physician and insurance without their images. Throws AppError `image_invalid`. */
export function separateImages(
  physician: Fields | null,
  insurance: Fields | null,
): { readonly physician: Fields | null; readonly healthInsurance: Fields | null; readonly files: readonly OrderFile[] } {
  const { signature_image: signature, ...doctor } = physician ?? {};
  const files = Object.entries(insuranceImages).flatMap(([name, part]) => readImage(`health_insurance.${name}`, part, insurance?.[name]));
  const texts = Object.entries(insurance ?? {}).filter(([name]) => !(name in insuranceImages));
  return {
    physician: physician && doctor,
    healthInsurance: insurance && Object.fromEntries(texts),
    files: [...readImage('physician.signature_image', 'physician_signature', signature), ...files],
  };
}
