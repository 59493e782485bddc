/**
 * The layers of each package and service: the folders of a folder, the lowest first. A file imports from its own folder and from layers
 * that stand before its own. `.` is the files directly in the folder; where it is not named, it is the top. `*` is every folder that is
 * not named: they stand side by side and import nothing of one another. An `index.ts` only re-exports, and nothing inside imports it.
 * The keys are paths below `packages/<name>/src` and `services/<name>/src`.
 */
export const layers: Readonly<Record<string, readonly string[]>> = {
  'packages/audit': ['.'],
  'packages/kernel': ['.'],
  'packages/outbound': ['.', 'testing'],
  'services/console': ['words', 'pages', 'http', 'routes', '.'],
  'services/dispatcher': ['*', '.'],
  'services/ingest': ['*', '.'],
  'services/relay': ['*', '.'],
};
