import type { KeyContext } from '../../../context/context.ts';
import { fieldError, validationError } from '../../../validate/validate-request.ts';

/**
 * The rate limit that the API may grant to a key: no higher than the default or the operator's setting, and no higher than that of
 * the requesting key, which is also the meaning of `null` or an absent field. Throws AppError `request_invalid` with the allowed range.
 */
export function grantedRate({ key, settings }: KeyContext, wanted: number | null | undefined, current: number | null): number | null {
  const own = key.rateLimit ?? settings.rateLimit;
  const most = Math.min(own, current ?? settings.rateLimit);
  if (settings.rateLimit === 0) return wanted ?? null;
  if (wanted === null || wanted === undefined) return most < settings.rateLimit ? most : null;
  if (wanted <= most) return wanted;
  const msg = `Must be at most ${most}: only an operator can raise the rate limit of a key`;
  throw validationError([fieldError(['body', 'rate_limit'], msg, wanted, 'less_than_equal')]);
}
