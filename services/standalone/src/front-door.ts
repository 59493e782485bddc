import { type Clock, isAppError, waitUntilAborted } from '@pulsewire/kernel';
import type { Worker } from '@pulsewire/runtime';
import path from 'node:path';
import type { DemoSimulation } from './demo/simulation/demo-simulation.ts';
import type { Narrator } from './demo/narrator.ts';
import { runDemo } from './demo/run-demo.ts';
import type { Installation } from './installation/open-installation.ts';
import { readStanding } from './demo/read-standing.ts';
import { respondsOk } from './wait.ts';

/** Where the seeded key can be read later; the key itself is printed only once. */
function keyPlace({ dataDir, apiKey, keys }: Installation): string {
  return apiKey === keys.teamApiKey ? `teamApiKey in ${path.join(dataDir, 'keys.json')}` : 'TEAM_API_KEY';
}

function keyLine(installation: Installation): string {
  const { apiKey, isNew, team } = installation;
  if (apiKey === null) {
    return `The API key of the sandbox team was revoked. Make another one with: npm run admin -- keys create ${team.teamId} --label <text>`;
  }
  return isNew
    ? `API key of the sandbox team: ${apiKey} (shown once; kept as ${keyPlace(installation)})`
    : `API key of the sandbox team: see ${keyPlace(installation)}`;
}

/** Shell command that sets API_KEY for the printed commands. */
function exportLine(installation: Installation): string {
  const { apiKey, keys, dataDir } = installation;
  if (apiKey !== keys.teamApiKey) return 'API_KEY=$TEAM_API_KEY';
  return `API_KEY=$(node -p "JSON.parse(fs.readFileSync('${path.join(dataDir, 'keys.json')}')).teamApiKey")`;
}

/** Prints when the service is ready, and runs the demo if it is enabled. A failing demo never stops the service. */
export function createFrontDoor(options: {
  readonly installation: Installation;
  readonly simulation: DemoSimulation | null;
  readonly historyDays: number | undefined;
  readonly url: string;
  readonly healthUrl: string;
  readonly narrator: Narrator;
  readonly clock: Clock;
}): Worker {
  const { installation, simulation, historyDays, url, healthUrl, narrator, clock } = options;
  const { apiKey, database, team } = installation;
  return {
    name: 'front-door',
    async run(signal) {
      await respondsOk(`${url}/health/ready`, signal);
      if (signal.aborted) return;
      narrator.say(`Pulsewire ready: ${url}`);
      narrator.say(`Health and metrics for operators: ${healthUrl}/health/ready, ${healthUrl}/metrics`);
      narrator.say(keyLine(installation));
      const standing = (endpointId: string) => readStanding(database, { teamId: team.teamId, endpointId });
      if (simulation && apiKey === null) narrator.say('The demo does not run without a key.');
      if (simulation && apiKey !== null) {
        const demo = { simulation, historyDays, baseUrl: url, apiKey, setKeyLine: exportLine(installation), narrator, clock, standing };
        await runDemo(demo, signal).catch((error: unknown) => {
          if (!signal.aborted) narrator.say(`The demo stopped: ${isAppError(error) ? error.message : String(error)}. The service goes on.`);
        });
      }
      await waitUntilAborted(signal);
    },
  };
}
