import type { Connector, ConnectorSettings } from './types/connector.ts';

/** What a connector is built from: a text for each setting that it declares. */
export type SettingValues<Settings extends ConnectorSettings> = Readonly<Record<keyof Settings, string>>;

/** The values that hold where the operator says nothing. */
export function defaultsOf<Settings extends ConnectorSettings>(settings: Settings): SettingValues<Settings> {
  return Object.fromEntries(Object.entries(settings).map(([name, setting]) => [name, setting.default])) as SettingValues<Settings>;
}

/**
 * A connector some of whose facts may change without notice, such as the version of an app that the provider insists on: they are the
 * operator's to put right, `PROVIDER_<SLUG>_<NAME>`, and no literals.
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
