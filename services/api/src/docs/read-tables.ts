import { findResource, resources, type Resource } from '@pulsewire/contract';
import { markdownItem } from '@pulsewire/kernel';

interface Operation {
  readonly summary?: string;
  readonly deprecated?: boolean;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

interface Read {
  readonly path: string;
  readonly operation: Operation;
}

/** The resource whose data a path reads; undefined for all other reads. */
function resourceOf(path: string): Resource | undefined {
  const [, summary] = /^\/v2\/summary\/(\w+)\//.exec(path) ?? [];
  if (summary !== undefined) return findResource(summary);
  const [, series] = /^\/v2\/timeseries\/\{user_id\}\/(\w+)/.exec(path) ?? [];
  if (series !== undefined) return resources.find((one) => one.kind === 'timeseries' && one.readSlug === series) ?? findResource(series);
  return path === '/v2/timeseries/workouts/{workout_id}/stream' ? findResource('workout_stream') : undefined;
}

/** The reads that a team's key allows. */
function readsOf(document: Readonly<Record<string, unknown>>): readonly Read[] {
  const paths = document['paths'] as Readonly<Record<string, { readonly get?: Operation }>>;
  return Object.entries(paths).flatMap(([path, { get }]) =>
    get?.security?.some((scheme) => 'apiKey' in scheme) ? [{ path, operation: get }] : [],
  );
}

const marked = ({ path, operation }: Read) => `\`${path}\`${operation.deprecated ? ' (deprecated)' : ''}`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function resourceItem(resource: Resource, reads: readonly Read[]): string {
  const about = resource.kind === 'timeseries' ? `timeseries in ${resource.unit}` : resource.kind;
  const event = resource.events ? `; first event \`${resource.events.created}\`` : '';
  return markdownItem(`\`${resource.name}\` (${about}${event}): ${reads.map(marked).join(', ')}`);
}

/** An item for each resource that can be read, with every path that reads it. */
export function resourceList(document: Readonly<Record<string, unknown>>): string {
  const byName = Map.groupBy(readsOf(document), ({ path }) => resourceOf(path)?.name);
  const items = resources.flatMap((resource) => {
    const reads = byName.get(resource.name);
    return reads === undefined ? [] : [resourceItem(resource, reads)];
  });
  return items.join('\n');
}

/** A row for each read that does not belong to one resource. */
export function endpointTable(document: Readonly<Record<string, unknown>>): string {
  const rows = readsOf(document).filter(({ path }) => resourceOf(path) === undefined);
  return table(
    ['`GET`', 'what'],
    rows.map((read) => [marked(read), read.operation.summary ?? '']),
  );
}
