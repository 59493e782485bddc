import { JsonNode } from '../kit/values/json-node.ts';
import { readPages } from '../kit/http/read-pages.ts';
import type { ProviderResponse, ProviderHttp } from '../kit/types/connector.ts';

type Fields = Readonly<Record<string, string>>;

/** One call of a data service. It is a POST that only reads. */
export function readService(http: ProviderHttp, path: string, form: Fields): Promise<ProviderResponse> {
  return http.post(path, { form, isRead: true });
}

/** Where the next page begins; null after the last one. */
export function nextOffset({ body }: ProviderResponse): string | null {
  const page = new JsonNode(body).at('body');
  const { value: more } = page.at('more');
  const { value: offset } = page.at('offset');
  // True at some services, 1 at others.
  if (more !== true && more !== 1) return null;
  return typeof offset === 'number' || typeof offset === 'string' ? String(offset) : null;
}

/** Pages of a data service, as long as there are more. */
export function readServicePages(http: ProviderHttp, path: string, form: Fields): AsyncGenerator<ProviderResponse> {
  return readPages<Fields>({
    first: form,
    read: (requested) => readService(http, path, requested),
    next: (response) => {
      const offset = nextOffset(response);
      return offset === null ? null : { ...form, offset };
    },
  });
}
