import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describeApi } from './describe-api.ts';

const file = path.join(import.meta.dirname, '../../../schemas/openapi/openapi.json');
const text = `${JSON.stringify(await describeApi(), null, 2)}\n`;

// With --check: is the committed file what the routes say? Without: make it so.
if (process.argv.includes('--check')) {
  const committed = await readFile(file, 'utf8').catch(() => '');
  if (committed !== text) {
    process.stderr.write('schemas/openapi/openapi.json is not what the routes say. Run: npm run schemas\n');
    process.exitCode = 1;
  }
} else {
  await writeFile(file, text);
  process.stdout.write('schemas/openapi/openapi.json written\n');
}
