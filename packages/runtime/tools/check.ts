import { join } from 'node:path';
import { root } from './root.ts';
import { runStep, type Step, type StepResult } from './run-step.ts';

const tool = (...parts: string[]) => join(root, 'node_modules', ...parts);

const steps: readonly Step[] = [
  { name: 'types', args: [tool('typescript', 'bin', 'tsc'), '-p', 'tsconfig.json', '--pretty', 'false'] },
  { name: 'lint', args: [tool('oxlint', 'bin', 'oxlint'), '--format', 'unix', '.'] },
  { name: 'format', args: [tool('oxfmt', 'bin', 'oxfmt'), '--check', '.'] },
  { name: 'dead code', args: [tool('knip', 'bin', 'knip.js'), '--no-progress', '--no-config-hints'] },
  { name: 'schemas', args: ['packages/runtime/tools/schemas.ts', '--check'] },
  { name: 'docs', args: ['packages/docs/src/generate.ts', '--check'] },
  {
    name: 'architecture',
    args: [tool('vitest', 'vitest.mjs'), 'run', '--config', 'test/vitest.config.ts', '--project', 'architecture', '--reporter', 'dot'],
  },
];

function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}

const failures: StepResult[] = [];
for (const step of steps) {
  const result = await runStep(step, root);
  console.log(`${result.ok ? 'ok    ' : 'FAILED'}  ${result.name.padEnd(12)}  ${result.seconds.toFixed(1)} s`);
  if (!result.ok) failures.push(result);
}
for (const { name, output } of failures) console.log(`\n${name}:\n${indent(output === '' ? '(no output)' : output)}`);
if (failures.length > 0) process.exitCode = 1;
