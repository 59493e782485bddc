// `npm run faults` kills the processes of the whole road; `npm run faults -- kafka` brokers, registry and relay as well;
// `npm run faults -- custody` those that refresh tokens.
if (process.argv[2] === 'kafka') {
  process.argv.splice(2, 1);
  await import('./kafka.ts');
} else if (process.argv[2] === 'custody') {
  process.argv.splice(2, 1);
  await import('./custody.ts');
} else {
  await import('./whole-road.ts');
}
