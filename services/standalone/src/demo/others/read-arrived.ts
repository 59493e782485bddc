import { findResource } from '@pulsewire/contract';
import type { ApiClient } from '../client/api-client.ts';
import type { OtherSource } from './other-source.ts';

/** What has arrived from a source. */
export interface Arrived {
  readonly resources: readonly string[];
  readonly samples: number;
  readonly summaries: number;
  readonly windowsTotal: number;
  readonly windowsEnded: number;
  readonly windowsGivenUp: number;
  /** Everything that was asked for has been answered, and something has arrived. */
  readonly isComplete: boolean;
  /** Why the connection stopped; null: it did not. */
  readonly failure: string | null;
}

interface Connection {
  readonly slug: string;
  readonly status: string;
  readonly error_details: { readonly error_type: string; readonly error_message: string } | null;
  readonly historical_pull: {
    readonly windows_total: number;
    readonly windows_ended: number;
    readonly windows_given_up: number;
  } | null;
}

interface Statistics {
  readonly data: readonly {
    readonly provider: Readonly<Record<string, Readonly<Record<string, { readonly sent_count: number | null }>>>>;
  }[];
}

/** Reads it as a team would: the state of the connection, and the statistics of its resources. */
export async function readArrived(api: ApiClient, { slug, person }: OtherSource): Promise<Arrived> {
  const userId = person?.userId ?? '';
  const { providers } = await api.call<{ providers: readonly Connection[] }>('GET', `/v2/user/providers/${userId}`);
  const connection = providers.find((candidate) => candidate.slug === slug);
  const { data } = await api.call<Statistics>('GET', `/v2/introspect/resources?user_id=${userId}&provider=${slug}`);
  const counts = Object.entries(data[0]?.provider[slug] ?? {}).flatMap(([resource, { sent_count: count }]) =>
    count === null || count === 0 ? [] : [{ resource, count }],
  );
  const sum = (isSummary: boolean) =>
    counts.reduce((total, { resource, count }) => total + ((findResource(resource)?.kind === 'summary') === isSummary ? count : 0), 0);
  const pull = connection?.historical_pull;
  const error = connection?.error_details;
  const isEnded = !pull || pull.windows_ended >= pull.windows_total;
  return {
    resources: counts.map(({ resource }) => resource),
    samples: sum(false),
    summaries: sum(true),
    windowsTotal: pull?.windows_total ?? 0,
    windowsEnded: pull?.windows_ended ?? 0,
    windowsGivenUp: pull?.windows_given_up ?? 0,
    isComplete: isEnded && counts.length > 0,
    failure: connection?.status === 'connected' ? null : (error?.error_message ?? error?.error_type ?? 'not connected'),
  };
}
