import { createHmac } from 'node:crypto';
import type { Connector, PushAddress } from '@pulsewire/providers';

const segmentLength = 40;

/**
 * The segment of the address of one owner's application at a provider that signs nothing. It cannot be guessed without the provider's
 * verification code; another code yields another address.
 */
export function pushSegmentOf(verificationCode: string, provider: string, owner: string): string {
  return createHmac('sha256', verificationCode).update(`push\n${provider}\n${owner}`).digest('hex').slice(0, segmentLength);
}

/**
 * The address that a provider calls for one owner's application; null without a verification code. `owner` is `platform` or a team's id.
 */
export function pushAddress(
  { slug, push }: Pick<Connector, 'slug' | 'push'>,
  { baseUrl, verificationCode, owner }: { readonly baseUrl: string; readonly verificationCode: string | null; readonly owner: string },
): PushAddress | null {
  if (push === null || verificationCode === null) return null;
  const segment = push.isSigned ? '' : `/${pushSegmentOf(verificationCode, slug, owner)}`;
  return { callbackUrl: `${baseUrl.replace(/\/+$/, '')}/v2/push/${slug}${segment}`, verificationCode };
}
