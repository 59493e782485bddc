import { providerError } from './provider-error.ts';
import type { ProviderResponse } from '../types/connector.ts';

const pagesMaxDefault = 500;

/**
 * Follows pagination of any kind (cursor, token, offset, link): `read` fetches a page, `next` returns the cursor of the
 * following page, or null after the last. Throws AppError `provider_transient` when a page links to itself or there are more
 * than `pagesMax` pages.
 */
export async function* readPages<Cursor>(options: {
  readonly first: Cursor;
  readonly read: (cursor: Cursor) => Promise<ProviderResponse>;
  readonly next: (response: ProviderResponse, cursor: Cursor) => Cursor | null;
  readonly pagesMax?: number;
}): AsyncGenerator<ProviderResponse> {
  const { first, read, next, pagesMax = pagesMaxDefault } = options;
  let cursor: Cursor | null = first;
  for (let pages = 0; cursor !== null; pages++) {
    if (pages >= pagesMax) throw providerError('provider_transient', { reason: 'endless_pages' });
    const response: ProviderResponse = await read(cursor);
    yield response;
    const following: Cursor | null = next(response, cursor);
    if (following !== null && JSON.stringify(following) === JSON.stringify(cursor))
      throw providerError('provider_transient', { reason: 'endless_pages' });
    cursor = following;
  }
}
