import type { RefreshState, RefreshWindow } from '@pulsewire/ingest';
import { findIdentity } from '@pulsewire/providers';
import type { ApiContext } from '../context/context.ts';

/** A window of a refresh with the provider that it is read from. */
export interface RefreshItem extends RefreshWindow {
  readonly provider: string;
}

/** Every source of a provider, as a refresh names them: `<provider>/<resource>`. */
export function sourcesOf(context: ApiContext, provider: string): string[] {
  return Object.keys(findIdentity(provider, context.links.connectorFor)?.resources ?? {}).map((resource) => `${provider}/${resource}`);
}

// A source with several windows has the state of the least advanced one, because a window in progress may still repair a failure.
const rank: Readonly<Record<RefreshState, number>> = { refreshed: 0, failed: 1, in_progress: 2 };

/** The state of every source of a refresh. `refreshed` and `failed` list providers for which this holds for all sources. */
export function refreshStatusOf(
  context: ApiContext,
  refresh: {
    readonly items: readonly RefreshItem[];
    readonly states: ReadonlyMap<string, RefreshState>;
    readonly refreshed: readonly string[];
    readonly failed: readonly string[];
  },
) {
  const bySource = new Map<string, RefreshState>();
  for (const provider of refresh.refreshed) for (const source of sourcesOf(context, provider)) bySource.set(source, 'refreshed');
  for (const provider of refresh.failed) for (const source of sourcesOf(context, provider)) bySource.set(source, 'failed');
  for (const { provider, resources, windowId } of refresh.items) {
    const state = refresh.states.get(windowId) ?? 'in_progress';
    for (const resource of resources) {
      const source = `${provider}/${resource}`;
      if (rank[state] >= rank[bySource.get(source) ?? 'refreshed']) bySource.set(source, state);
    }
  }
  const sourcesIn = (state: RefreshState) => [...bySource].filter(([, found]) => found === state).map(([source]) => source);
  return {
    refreshed_sources: sourcesIn('refreshed'),
    in_progress_sources: sourcesIn('in_progress'),
    failed_sources: sourcesIn('failed'),
  };
}
