import path from 'node:path';
import { sleep, type Clock, isAppError, waitUntilAborted } from '@pulsewire/kernel';
import type { Worker } from '@pulsewire/runtime';
import type { Narrator } from './demo/client/narrator.ts';
import { readDemoStatus } from './demo/read-demo-status.ts';
import { runDemo } from './demo/run-demo.ts';
import type { DemoSimulation } from './demo/simulation/demo-simulation.ts';
import type { Installation } from './installation/open-installation.ts';

/** Resolves when the address responds with 200, or when the signal aborts. */
async function respondsOk(url: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => null);
    await response?.body?.cancel();
    if (response?.ok) return;
    await sleep(50, signal);
  }
}

/** Where the seeded key is stored; the key itself is printed only once. */
function keyLocation({ dataDir, apiKey, keys }: Installation): string {
  return apiKey === keys.teamApiKey ? `teamApiKey in ${path.join(dataDir, 'keys.json')}` : 'TEAM_API_KEY';
}

function keyLine(installation: Installation): string {
  const { apiKey, isNew, team } = installation;
  if (apiKey === null) {
    return `The API key of the sandbox team was revoked. Create another one with: npm run admin -- keys create ${team.teamId} --label <text>`;
  }
  return isNew
    ? `API key of the sandbox team: ${apiKey} (shown once; stored as ${keyLocation(installation)})`
    : `API key of the sandbox team: see ${keyLocation(installation)}`;
}

/** Shell command that sets API_KEY for the printed commands. */
function exportLine(installation: Installation): string {
  const { apiKey, keys, dataDir } = installation;
  if (apiKey !== keys.teamApiKey) return 'API_KEY=$TEAM_API_KEY';
  return `API_KEY=$(node -p "JSON.parse(fs.readFileSync('${path.join(dataDir, 'keys.json')}')).teamApiKey")`;
}

/** Prints the address when the service is ready, then runs the demo if it is enabled. A failing demo never stops the service. */
export function createStartup(options: {
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
    name: 'startup',
    async run(signal) {
      await respondsOk(`${url}/health/ready`, signal);
      if (signal.aborted) return;
      narrator.say(`Pulsewire ready: ${url}`);
      narrator.say(`Health and metrics for operators: ${healthUrl}/health/ready, ${healthUrl}/metrics`);
      narrator.say(keyLine(installation));
      const readStatus = (endpointId: string) => readDemoStatus(database, { teamId: team.teamId, endpointId });
      if (simulation && apiKey === null) narrator.say('The demo does not run without an API key.');
      if (simulation && apiKey !== null) {
        const demo = { simulation, historyDays, baseUrl: url, apiKey, setKeyLine: exportLine(installation), narrator, clock, readStatus };
        await runDemo(demo, signal).catch((error: unknown) => {
          if (!signal.aborted)
            narrator.say(`The demo stopped: ${isAppError(error) ? error.message : String(error)}. The service keeps running.`);
        });
      }
      await waitUntilAborted(signal);
    },
  };
}
