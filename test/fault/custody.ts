import { parseArgs } from 'node:util';
import { createDatabase, dropDatabase } from '@pulsewire/database/testing';
import { startTestServer } from '../support/test-server.ts';
import { runStorm } from './custody/campaign.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    connections: { type: 'string', default: '48' },
  },
});

const server = await startTestServer({ durable: true });
let isGood = true;
try {
  for (const graceMs of [600_000, 0]) {
    const kind = graceMs > 0 ? 'a spent token brings its pair again' : 'refresh tokens are strictly single use';
    console.log(
      `custody: 64 workers in 8 processes for ${values.seconds} s, ${values.connections} connections, ${kind}, seed ${values.seed}`,
    );
    const name = `storm_${graceMs}`;
    const databaseUrl = await createDatabase(server.adminUrl, name, server.template);
    const result = await runStorm({
      databaseUrl,
      seconds: Number(values.seconds),
      seed: Number(values.seed),
      processes: 8,
      workers: 64,
      connections: Number(values.connections),
      graceMs,
    });
    for (const [what, figure] of Object.entries(result)) console.log(`  ${what}: ${figure}`);
    await dropDatabase(server.adminUrl, name);
    isGood &&=
      result.falseRevocations === 0 &&
      result.overlaps === 0 &&
      result.unstored === 0 &&
      result.usedDead === 0 &&
      result.unexplained === 0 &&
      result.trueRevocations === '2 of 2, 2 events' &&
      (graceMs === 0 || result.unclear === 0) &&
      result.working + result.unclear === Number(values.connections) - 2;
  }
} finally {
  await server.stop();
}
process.exitCode = isGood ? 0 : 1;
