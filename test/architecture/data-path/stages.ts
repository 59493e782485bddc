const shared = 'shared';

/**
 * The stages of a sample, in order, and the folders whose functions belong to each; the first match counts. `shared` are values and
 * clients that several stages use: they are listed, but are not part of the path.
 */
const stages: readonly { readonly name: string; readonly folders: readonly string[] }[] = [
  { name: shared, folders: ['packages/providers/src/kit/values/', 'packages/providers/src/kit/time/'] },
  {
    name: 'notification',
    folders: ['packages/ingest/src/push/', 'packages/providers/src/fitbit/push.ts', 'packages/providers/src/kit/push/'],
  },
  {
    name: 'window',
    folders: ['packages/ingest/src/plan/', 'packages/ingest/src/windows/', 'packages/ingest/src/jobs/', 'packages/ingest/src/context/'],
  },
  {
    name: 'record',
    folders: [
      'packages/ingest/src/run/',
      'packages/ingest/src/session/',
      'packages/ingest/src/quota/',
      'packages/ingest/src/sealed/',
      'packages/ingest/src/vault/',
      'packages/ingest/src/create-ingest.ts',
      'packages/connections/',
      'packages/providers/',
      'packages/outbound/src/http-client.ts',
      'services/ingest/',
    ],
  },
  {
    name: 'commit',
    folders: ['packages/ingest/src/records/', 'packages/store/', 'packages/eventlog/src/append/'],
  },
  { name: 'request', folders: ['packages/eventlog/', 'packages/webhooks/', 'packages/outbound/'] },
];

/** The stage of a file. */
export function stageOf(file: string): string {
  return stages.find(({ folders }) => folders.some((folder) => file.startsWith(folder)))?.name ?? shared;
}

export const stageNames: readonly string[] = stages.map(({ name }) => name).filter((name) => name !== shared);
