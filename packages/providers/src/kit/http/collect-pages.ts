import type { ProviderResponse } from '../types/connector.ts';

/** The version of a page that is built from several responses: that of the oldest. */
export function oldestVersion(responses: readonly [ProviderResponse, ...ProviderResponse[]]): bigint {
  return responses.reduce((oldest, { version }) => (version < oldest ? version : oldest), responses[0].version);
}

/** Collects all pages of a reading, for records with parts on several pages; null when there are no pages. */
export async function collectPages(
  pages: AsyncIterable<ProviderResponse>,
): Promise<{ readonly bodies: readonly unknown[]; readonly version: bigint } | null> {
  const responses: ProviderResponse[] = [];
  for await (const page of pages) responses.push(page);
  const [first, ...others] = responses;
  if (first === undefined) return null;
  return { bodies: responses.map(({ body }) => body), version: oldestVersion([first, ...others]) };
}
