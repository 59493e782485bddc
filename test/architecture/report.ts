/**
 * `npm run structure` prints the figures of the code; `npm run structure -- path` runs one heart rate from the provider's notification to
 * the receiver's request and prints the functions on its way, with `--list` their names; `npm run
 * structure -- sql` counts the statements that are written by hand.
 */
const [command, option] = process.argv.slice(2);
if (command === 'path') await (await import('./data-path/report.ts')).reportDataPath(option === '--list');
else if (command === 'sql') (await import('./sources/statements.ts')).reportStatements();
else (await import('./sources/figures.ts')).reportFigures();
