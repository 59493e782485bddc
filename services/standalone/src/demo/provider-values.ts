import type { ProviderSettingValues } from '@pulsewire/connections';
import { connectors as registered, type Connector } from '@pulsewire/providers';
import { simulatorSpeed, type DemoWorld } from './demo-world.ts';

/** An hour at the script's Fitbit is half a minute: so long its quota lasts. */
function atSimulatorSpeed(connector: Connector): Connector {
  return { ...connector, quotas: connector.quotas.map((rule) => ({ ...rule, perMs: rule.perMs / simulatorSpeed })) };
}

/** The registry, with the providers of the demo at their simulators. */
export function demoConnectors({ others }: DemoWorld): readonly Connector[] {
  const placed = new Map(others.map(({ connector }) => [connector.slug, connector]));
  for (const connector of registered) if (connector.slug === 'fitbit') placed.set('fitbit', atSimulatorSpeed(connector));
  return registered.map((connector) => placed.get(connector.slug) ?? connector);
}

/** Settings of the simulated providers, as an operator would set them in the environment. */
export function demoProviderValues({ state, simulator, others }: DemoWorld): ProviderSettingValues {
  const { clientId, clientSecret, verificationCode } = state;
  const slugs = ['fitbit', ...others.map(({ connector }) => connector.slug)];
  return {
    ...Object.fromEntries(
      slugs.flatMap((slug) => [
        [`provider_${slug}_enabled`, true],
        [`provider_${slug}_clientId`, clientId],
        [`provider_${slug}_clientSecret`, clientSecret],
        [`provider_${slug}_pushVerificationCode`, verificationCode],
      ]),
    ),
    ...Object.fromEntries(Object.entries(simulator.endpoints).map(([name, url]) => [`provider_fitbit_${name}`, url])),
  };
}
