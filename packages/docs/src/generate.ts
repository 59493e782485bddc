import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorsPage } from './errors/errors-page.ts';
import type { OpenApi } from './status/interface.ts';
import { statusPage } from './status/status-page.ts';

// Run as a script: `npm run docs`, or with `--check` to compare the committed pages only.
const root = path.join(import.meta.dirname, '../../..');
const document = JSON.parse(await readFile(path.join(root, 'schemas/openapi/openapi.json'), 'utf8')) as OpenApi;

const pages = new Map([
  ['packages/docs/pages/status.md', statusPage(document)],
  ['packages/docs/pages/errors.md', errorsPage()],
]);

for (const [file, text] of pages) {
  const committed = await readFile(path.join(root, file), 'utf8').catch(() => '');
  if (committed === text) continue;
  if (process.argv.includes('--check')) {
    process.stderr.write(`${file} differs from the code. Run: npm run docs\n`);
    process.exitCode = 1;
  } else {
    await writeFile(path.join(root, file), text);
    process.stdout.write(`${file} written\n`);
  }
}
