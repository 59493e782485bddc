/**
 * The layers of each package and service: the folders of a folder, the lowest first. A file imports from its own folder and from layers
 * that stand before its own. `.` is the files directly in the folder; where it is not named, it is the top. `*` is every folder that is
 * not named: they stand side by side and import nothing of one another. A file that composes its folder may be a layer of its own (`connector.ts`). An `index.ts` only re-exports, and nothing inside imports it.
 * The keys are paths below `packages/<name>/src` and `services/<name>/src`.
 */
export const layers: Readonly<Record<string, readonly string[]>> = {
  'packages/audit': ['.'],
  'packages/database': ['.', 'keys', 'embedded', 'testing'],
  'packages/database/keys': ['kms', '.'],
  'packages/ingest': [
    'jobs',
    'model',
    'sealed',
    'quota',
    'context',
    'plan',
    'windows',
    'vault',
    'session',
    'records',
    'run',
    'push',
    'renormalise',
    'maintenance',
    'read',
    'demo',
    '.',
  ],
  'packages/ingest/push': ['receive', 'parse', 'subscriptions', 'apply'],
  'packages/kernel': ['.'],
  'packages/outbound': ['.', 'testing'],
  // A LibreView practice signs in as LibreLinkUp does.
  'packages/providers': ['kit', 'abbott_libreview', '*', '.'],
  'packages/providers/kit': ['types', 'time', 'values', 'http', 'oauth', 'push', 'records', 'password', 'testing', '.'],
  'packages/providers/dexcom_v3': ['.', 'mappers', 'pulls', 'connector.ts'],
  'packages/providers/fitbit': ['.', 'mappers', 'pulls', 'connector.ts'],
  'packages/providers/garmin': ['.', 'mappers', 'collections.ts', 'pulls.ts', 'push.ts', 'connector.ts'],
  'packages/providers/whoop': ['.', 'mappers', 'pulls.ts', 'connector.ts'],
  'packages/providers/oura': ['.', 'mappers', 'pulls', 'connector.ts'],
  'packages/providers/polar': ['.', 'mappers', 'pulls', 'connector.ts'],
  'packages/providers/strava': ['.', 'mappers', 'pulls', 'connector.ts'],
  'packages/providers/whoop_v2': ['.', 'mappers', 'pulls', 'connector.ts'],
  'packages/providers/withings': ['.', 'mappers', 'pulls', 'connector.ts'],
  'packages/runtime': ['log', 'config', 'metrics', 'process', 'health', '.'],
  'packages/store': ['model', 'reads', 'streams', 'samples', 'summaries', '.'],
  'services/console': ['words', 'pages', 'http', 'routes', '.'],
  'services/dispatcher': ['*', '.'],
  'services/ingest': ['*', '.'],
  'services/relay': ['*', '.'],
  'services/scheduler': ['erasures', 'schedule', 'jobs', '.'],
  'services/scheduler/jobs': ['erasure', 'connections', 'pulls', '.'],
  'services/standalone': ['installation', 'demo', 'admin', '.'],
};
