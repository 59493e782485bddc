// `npm run faults` kills the processes of the whole road; `npm run faults -- kafka` brokers, registry and relay as well.
if (process.argv[2] === 'kafka') {
  process.argv.splice(2, 1);
  await import('./kafka.ts');
} else {
  await import('./whole-road.ts');
}
