import { providerError } from './provider-error.ts';
import type { ProviderAnswer } from '../types/connector.ts';

const pagesMaxDefault = 500;

/**
 * Follows a provider from page to page, whatever it pages by (cursor, token, offset, link): `read` asks for a page, `next`
 * gives what the page after it is asked for with, null when there is none. A page that leads to itself, or more than
 * `pagesMax` pages, is a fault of the provider: throws AppError `provider_transient`.
 */
export async function* readPages<Cursor>(options: {
  readonly first: Cursor;
  readonly read: (cursor: Cursor) => Promise<ProviderAnswer>;
  readonly next: (answer: ProviderAnswer, cursor: Cursor) => Cursor | null;
  readonly pagesMax?: number;
}): AsyncGenerator<ProviderAnswer> {
  const { first, read, next, pagesMax = pagesMaxDefault } = options;
  let cursor: Cursor | null = first;
  for (let pages = 0; cursor !== null; pages++) {
    if (pages >= pagesMax) throw providerError('provider_transient', { reason: 'endless_pages' });
    const answer: ProviderAnswer = await read(cursor);
    yield answer;
    const following: Cursor | null = next(answer, cursor);
    if (following !== null && JSON.stringify(following) === JSON.stringify(cursor))
      throw providerError('provider_transient', { reason: 'endless_pages' });
    cursor = following;
  }
}
