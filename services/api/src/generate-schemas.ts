import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describeApi } from './describe-api.ts';
import { endpointTable, resourceList } from './docs/read-tables.ts';

// Run as a script: `node services/api/src/generate-schemas.ts [--check]`.
const folder = path.join(import.meta.dirname, '../../../schemas/openapi');
const document = await describeApi();

/** Replaces the text between `<!-- name -->` and `<!-- /name -->`. */
function withSection(text: string, name: string, body: string): string {
  const pattern = new RegExp(`(<!-- ${name} -->)[\\s\\S]*(<!-- /${name} -->)`);
  if (!pattern.test(text)) throw new Error(`The markers of ${name} are missing`);
  return text.replace(pattern, (_, start: string, end: string) => `${start}\n\n${body}\n\n${end}`);
}

const readme = await readFile(path.join(folder, 'README.md'), 'utf8');
const wanted = {
  'openapi.json': `${JSON.stringify(document, null, 2)}\n`,
  'README.md': withSection(withSection(readme, 'resources', resourceList(document)), 'reads', endpointTable(document)),
};

// With --check, compares the committed files with the routes; without it, writes them.
for (const [name, text] of Object.entries(wanted)) {
  if (process.argv.includes('--check')) {
    const committed = await readFile(path.join(folder, name), 'utf8').catch(() => '');
    if (committed === text) continue;
    process.stderr.write(`schemas/openapi/${name} is not what the routes say. Run: npm run schemas\n`);
    process.exitCode = 1;
  } else {
    await writeFile(path.join(folder, name), text);
    process.stdout.write(`schemas/openapi/${name} written\n`);
  }
}
