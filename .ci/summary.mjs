// Lists skipped tests, tests that passed on the second try and files that could not be loaded;
// the last line contains only the counts.
import { readFileSync } from 'node:fs';

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { testResults: [] };
  }
}

const { testResults } = readReport(process.argv[2]);
const count = { passed: 0, failed: 0, skipped: 0 };
for (const file of testResults) {
  for (const test of file.assertionResults) {
    if (test.status === 'passed') {
      count.passed += 1;
      // The report keeps the failure of an earlier try.
      const [failure] = test.failureMessages ?? [];
      if (failure !== undefined) console.log(`flaky: ${test.fullName} (${failure.split('\n', 1)[0]})`);
    } else if (test.status === 'failed') count.failed += 1;
    else {
      count.skipped += 1;
      console.log(`skipped: ${test.fullName}`);
    }
  }
  // A file that fails outside its tests has no failed test.
  const isBroken = file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed');
  if (isBroken) {
    count.failed += 1;
    console.log(`broken: ${file.name}`);
  }
}
if (count.passed + count.failed === 0) console.log('No test ran.');
console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exitCode = count.passed === 0 || count.failed > 0 ? 1 : 0;
