import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './root.ts';

const paths = process.argv.slice(2);
const oxfmt = join(root, 'node_modules', 'oxfmt', 'bin', 'oxfmt');
const { status } = spawnSync(process.execPath, [oxfmt, ...(paths.length === 0 ? ['.'] : paths)], { cwd: root, stdio: 'inherit' });
process.exitCode = status ?? 1;
