import { addDays } from '../../kit/days.ts';
import { JsonNode } from '../../kit/json-node.ts';
import { readPages } from '../../kit/read-pages.ts';
import type { ProviderAnswer, ProviderHttp, PullWindow } from '../../kit/types.ts';

interface Asked {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
}

/**
 * A list of logs from the window's first day on, page by page. Other offsets than 0 are refused: only the link that Fitbit
 * gives leads on. Who follows it stops when the logs are past the window.
 */
export function listPages(http: ProviderHttp, path: string, { startDate }: PullWindow, limit: number): AsyncGenerator<ProviderAnswer> {
  return readPages<Asked>({
    // `afterDate` leaves its own day out.
    first: { path, query: { afterDate: addDays(startDate, -1), sort: 'asc', limit: String(limit), offset: '0' } },
    read: (asked) => http.get(asked.path, asked.query),
    next({ body }) {
      const link = new JsonNode(body).at('pagination').at('next').value;
      return typeof link === 'string' && link !== '' ? { path: link } : null;
    },
    pagesMax: 100,
  });
}
