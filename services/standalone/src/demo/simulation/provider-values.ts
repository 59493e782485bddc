import type { ProviderSettingValues } from '@pulsewire/connections';
import { connectors as registered, type Connector } from '@pulsewire/providers';
import type { DemoSimulation } from './demo-simulation.ts';

/** The registry, with the demo's providers at the addresses of their simulators. */
export function demoConnectors({ scripted, others }: DemoSimulation): readonly Connector[] {
  const placed = new Map([scripted, ...others].map(({ connector }) => [connector.slug, connector]));
  return registered.map((connector) => placed.get(connector.slug) ?? connector);
}

/** Settings of the simulated providers, as an operator would set them in the environment. */
export function demoProviderValues({ state, scripted, others }: DemoSimulation): ProviderSettingValues {
  const { clientId, clientSecret, verificationCode } = state;
  const slugs = new Set([scripted, ...others].map(({ connector }) => connector.slug));
  const simulated = registered.filter(({ slug }) => slugs.has(slug));
  // Without an OAuth application of ours, the client id is a setting of the connector: that of the provider's own app.
  const applied = simulated.filter(({ oauth, email }) => oauth !== null || email !== null);
  return {
    ...Object.fromEntries(simulated.map(({ slug }) => [`provider_${slug}_enabled`, true])),
    ...Object.fromEntries(
      applied.flatMap(({ slug }) => [
        [`provider_${slug}_clientId`, clientId],
        [`provider_${slug}_clientSecret`, clientSecret],
        [`provider_${slug}_pushVerificationCode`, verificationCode],
      ]),
    ),
  };
}
