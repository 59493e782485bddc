import { isAppError, type Clock } from '@pulsewire/kernel';
import type { Worker } from '@pulsewire/runtime';
import type { DemoWorld } from './demo/demo-world.ts';
import type { Narrator } from './demo/narrator.ts';
import { runDemo } from './demo/run-demo.ts';
import type { Installation } from './installation/open-installation.ts';
import { readStanding } from './read-standing.ts';
import { aborted, answersOk } from './wait.ts';

/** Says when the service is ready, and with the demo on shows it at work. A demo that fails never takes the service with it. */
export function createFrontDoor(options: {
  readonly installation: Installation;
  readonly world: DemoWorld | null;
  readonly url: string;
  readonly narrator: Narrator;
  readonly clock: Clock;
}): Worker {
  const { installation, world, url, narrator, clock } = options;
  return {
    name: 'front-door',
    async run(signal) {
      await untilReady(url, signal);
      if (signal.aborted) return;
      narrator.say(`Pulsewire ready: ${url}`);
      narrator.say(`API key of the sandbox team: ${installation.apiKey}`);
      const standing = () => readStanding(installation.database, installation.team.teamId);
      if (world) {
        await runDemo({ world, baseUrl: url, apiKey: installation.apiKey, narrator, clock, standing }, signal).catch((error: unknown) => {
          if (!signal.aborted) narrator.say(`The demo stopped: ${isAppError(error) ? error.message : String(error)}. The service goes on.`);
        });
      }
      await aborted(signal);
    },
  };
}

async function untilReady(url: string, signal: AbortSignal): Promise<void> {
  await answersOk(`${url}/health/ready`, signal);
}
