import type { Connector, ConnectorSettings } from './types/connector.ts';

/** The value of each setting that a connector declares. */
export type SettingValues<Settings extends ConnectorSettings> = Readonly<Record<keyof Settings, string>>;

/** The default values. */
export function defaultsOf<Settings extends ConnectorSettings>(settings: Settings): SettingValues<Settings> {
  return Object.fromEntries(Object.entries(settings).map(([name, setting]) => [name, setting.default])) as SettingValues<Settings>;
}

/**
 * A connector with facts that may change without notice, such as the app version that the provider requires. The operator can
 * override them with `PROVIDER_<SLUG>_<NAME>`.
 */
export function configurable<Settings extends ConnectorSettings>(
  settings: Settings,
  build: (values: SettingValues<Settings>) => Connector,
): Connector {
  const defaults = defaultsOf(settings);
  const make = (values: SettingValues<Settings>): Connector => ({
    ...build(values),
    settings,
    configure: (overrides) => make({ ...values, ...overrides }),
  });
  return make(defaults);
}
