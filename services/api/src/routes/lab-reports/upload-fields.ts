import type { ValidationError } from '@pulsewire/contract';
import { fieldError, validationError } from '../../validate/validate-request.ts';
import type { ReportUpload } from './read-upload.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const booleans: Readonly<Record<string, boolean>> = { true: true, false: false, '1': true, '0': false };

/** The fields of an upload. Throws AppError `request_invalid` with every invalid field. */
export function checkUploadFields({ fields, files }: ReportUpload): { readonly userId: string; readonly needsHumanReview: boolean } {
  const errors: ValidationError[] = [];
  const userId = fields['user_id'];
  if (files.length === 0) errors.push(fieldError(['body', 'file'], 'Field required', null, 'missing'));
  if (userId === undefined) errors.push(fieldError(['body', 'user_id'], 'Field required', null, 'missing'));
  else if (!uuid.test(userId)) errors.push(fieldError(['body', 'user_id'], 'Must be a UUID', userId, 'uuid_parsing'));
  const review = (fields['needs_human_review'] ?? 'false').toLowerCase();
  const needsHumanReview = booleans[review];
  if (needsHumanReview === undefined)
    errors.push(fieldError(['body', 'needs_human_review'], 'Must be true or false', review, 'bool_parsing'));
  if (userId === undefined || needsHumanReview === undefined || errors.length > 0) throw validationError(errors);
  return { userId: userId.toLowerCase(), needsHumanReview };
}
