import type { SimulatedProvider } from './simulation/start-simulators.ts';

/** Credentials for the simulated providers: one line per person, with the code if one is required. */
export function signInLines(providers: readonly SimulatedProvider[]): readonly string[] {
  const lines = new Map<string, string[]>();
  for (const { connector, simulator, visitors } of providers) {
    if (simulator.capabilities.auth === 'oauth') continue;
    for (const { credentials, email } of visitors) {
      const { username, password, region, mfaCode } = credentials;
      const what = simulator.capabilities.auth === 'email' ? email : `${username}, password ${password}`;
      const signIn = mfaCode === null ? what : `${what}, code ${mfaCode}`;
      const where = region === null ? connector.name : `${connector.name} (region ${region})`;
      lines.set(signIn, [...(lines.get(signIn) ?? []), where]);
    }
  }
  return [...lines].map(([signIn, names]) => `  ${names.join(', ')}: ${signIn}`);
}
