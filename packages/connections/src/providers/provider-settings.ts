import { AppError } from '@pulsewire/kernel';
import { withEndpoints, type Connector, type OAuthApplication, type ProviderEndpoints } from '@pulsewire/providers';
import { parseQuotas, quotaForm, quotaText } from './quota-text.ts';

interface SettingField {
  readonly env: string;
  readonly type: 'string' | 'url' | 'boolean';
  readonly description: string;
  readonly optional: true;
  readonly secret?: boolean;
  readonly defaultText?: string;
  readonly form?: { readonly text: string; has(text: string): boolean };
}

/** Settings of the providers, by key of `providerConfigFields`. */
export type ProviderSettingValues = Readonly<Record<string, unknown>>;

const endpointKeys = ['apiBaseUrl', 'authorizeUrl', 'tokenUrl', 'revokeUrl'] as const satisfies readonly (keyof ProviderEndpoints)[];

const key = (slug: string, name: string) => `provider_${slug}_${name}`;

/** `apiBaseUrl` -> `API_BASE_URL` */
const upperSnake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

type KeyedField = readonly [key: string, field: SettingField];

const quotasSetting = { text: quotaForm, has: (text: string) => parseQuotas(text) !== null };

/** An operator may have been granted other limits than the documented ones. */
function quotasField({ quotas }: Connector, [id, field]: KeyedField): readonly KeyedField[] {
  return quotas.length === 0 ? [] : [[id, { ...field, defaultText: `\`${quotaText(quotas)}\``, form: quotasSetting }]];
}

/** The connector with the limits that the operator configured. Throws AppError `config_invalid`. */
function withQuotas(connector: Connector, text: string | null): Connector {
  if (text === null || connector.quotas.length === 0) return connector;
  const quotas = parseQuotas(text);
  if (quotas) return { ...connector, quotas };
  const problems = [`PROVIDER_${connector.slug.toUpperCase()}_QUOTAS must be ${quotaForm}`];
  throw new AppError({ code: 'config_invalid', kind: 'invalid', message: 'Invalid configuration', details: { problems } });
}

function fieldsOf(connector: Connector): readonly KeyedField[] {
  const prefix = `PROVIDER_${connector.slug.toUpperCase()}`;
  const field = (name: string, type: SettingField['type'], description: string, secret?: boolean): KeyedField => [
    key(connector.slug, name),
    {
      env: `${prefix}_${upperSnake(name)}`,
      type,
      description: `${connector.name}: ${description}`,
      optional: true,
      ...(secret && { secret }),
    },
  ];
  const application = [
    field('clientId', 'string', 'client id of our OAuth application.'),
    field('clientSecret', 'string', 'client secret of our OAuth application.', true),
  ];
  const practice = [
    field('clientId', 'string', 'name (e-mail address) of the account that reads for the people who are linked.'),
    field('clientSecret', 'string', 'password of that account.', true),
  ];
  const enabled = field('enabled', 'boolean', 'on lets people link it. Its interface is undocumented; using it may breach its terms.');
  return [
    ...(connector.oauth ? application : [enabled, ...(connector.email ? practice : [])]),
    ...(connector.push
      ? [field('pushVerificationCode', 'string', 'code that the provider checks when a push address is registered.', true)]
      : []),
    ...Object.entries(connector.settings ?? {}).map(([name, setting]) => {
      const [id, declared] = field(name, 'string', setting.description);
      return [id, { ...declared, defaultText: setting.default === '' ? 'none' : `\`${setting.default}\`` }] as const;
    }),
    ...quotasField(
      connector,
      field('quotas', 'string', 'limits granted to our application, all of them, in place of the documented ones.'),
    ),
    field('apiBaseUrl', 'url', 'other base address of the API, for a simulator.'),
    ...(connector.oauth
      ? [
          field('authorizeUrl', 'url', 'other address of the consent page.'),
          field('tokenUrl', 'url', 'other address of the token endpoint.'),
          field('revokeUrl', 'url', 'other address of the revocation endpoint.'),
        ]
      : []),
  ];
}

/** Settings of every registered provider, for the configuration of a process. */
export function providerConfigFields(connectors: readonly Connector[]): Readonly<Record<string, SettingField>> {
  return Object.fromEntries(connectors.flatMap(fieldsOf));
}

/** The registry with the settings of this process. */
export interface ProviderSettings {
  /** With the configured addresses. */
  readonly connectors: readonly Connector[];
  connectorFor(slug: string): Connector | undefined;
  /** Null unless both id and secret are set. */
  platformApplication(slug: string): OAuthApplication | null;
  pushVerificationCode(slug: string): string | null;
  /** Whether users may link this provider: always with OAuth; with passwords and e-mail when the operator enabled it. */
  isEnabled(slug: string): boolean;
}

/** Turns the settings into what linking, custody and pushes need. */
export function readProviderSettings(connectors: readonly Connector[], values: ProviderSettingValues): ProviderSettings {
  const text = (slug: string, name: string): string | null => {
    const value = values[key(slug, name)];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const settingsOf = ({ slug, settings = {} }: Connector) =>
    Object.fromEntries(
      Object.keys(settings).flatMap((name) => {
        const value = text(slug, name);
        return value === null ? [] : [[name, value]];
      }),
    );
  const placed = connectors.map((plain) => {
    const connector = withQuotas(plain.configure?.(settingsOf(plain)) ?? plain, text(plain.slug, 'quotas'));
    const overrides = endpointKeys.flatMap((name): [string, string][] => {
      const url = text(connector.slug, name);
      return url === null ? [] : [[name, url]];
    });
    return withEndpoints(connector, Object.fromEntries(overrides) as Partial<ProviderEndpoints>);
  });
  const bySlug = new Map(placed.map((connector) => [connector.slug, connector]));
  return {
    connectors: placed,
    connectorFor: (slug) => bySlug.get(slug),
    platformApplication(slug) {
      const clientId = text(slug, 'clientId');
      const clientSecret = text(slug, 'clientSecret');
      return clientId !== null && clientSecret !== null ? { clientId, clientSecret } : null;
    },
    pushVerificationCode: (slug) => text(slug, 'pushVerificationCode'),
    isEnabled: (slug) => bySlug.get(slug)?.oauth != null || values[key(slug, 'enabled')] === true,
  };
}
