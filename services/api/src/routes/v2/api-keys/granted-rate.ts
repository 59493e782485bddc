import type { KeyContext } from '../../../context/context.ts';
import { fieldError, validationError } from '../../../validate/validate-request.ts';

/**
 * The rate limit that a key may be given through the API: no higher than the default or what an operator gave it, and no higher than that of
 * the key that asks, which `null` and an absent field come down to. Throws AppError `request_invalid` with what is possible.
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
