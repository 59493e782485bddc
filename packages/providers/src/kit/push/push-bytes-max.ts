import type { PushSupport } from '../types.ts';

/** Some 30,000 notices that name what changed. */
const noticesBytesMax = 4 * 1024 * 1024;

/** The largest body of a provider's pushes, bytes. */
export function pushBytesMax({ bodyBytesMax = noticesBytesMax }: Pick<PushSupport, 'bodyBytesMax'>): number {
  return bodyBytesMax;
}
