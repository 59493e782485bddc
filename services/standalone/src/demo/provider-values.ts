import type { ProviderSettingValues } from '@pulsewire/connections';
import type { DemoWorld } from './demo-world.ts';

/** Settings that point the Fitbit connector at the simulator, as an operator would set them in the environment. */
export function demoProviderValues({ state, simulator }: DemoWorld): ProviderSettingValues {
  return {
    provider_fitbit_clientId: state.clientId,
    provider_fitbit_clientSecret: state.clientSecret,
    provider_fitbit_pushVerificationCode: state.verificationCode,
    ...Object.fromEntries(Object.entries(simulator.endpoints).map(([name, url]) => [`provider_fitbit_${name}`, url])),
  };
}
