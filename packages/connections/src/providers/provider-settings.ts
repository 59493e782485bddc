import { AppError } from '@pulsewire/kernel';
import { hasAddress, withEndpoints, type Connector, type OAuthApplication, type ProviderEndpoints } from '@pulsewire/providers';
import { Type, type TBoolean, type TOptional, type TString, type TUnion } from 'typebox';
import { parseQuotas, quotaForm, quotaText } from './quota-text.ts';
import { hasScopesSetting, scopesProblem, withScopes } from './scopes-text.ts';

interface SettingField {
  readonly env: string;
  readonly schema: TOptional<TString | TBoolean | TUnion>;
  readonly description: string;
  readonly secret?: boolean;
  readonly defaultText?: string;
}

/** Settings of the providers, by key of `providerConfigFields`. */
export type ProviderSettingValues = Readonly<Record<string, unknown>>;

const endpointKeys = ['apiBaseUrl', 'authorizeUrl', 'tokenUrl', 'revokeUrl'] as const satisfies readonly (keyof ProviderEndpoints)[];

const key = (slug: string, name: string) => `provider_${slug}_${name}`;

/** `apiBaseUrl` -> `API_BASE_URL` */
const upperSnake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

type KeyedField = readonly [key: string, field: SettingField];

const textSchema = Type.Optional(Type.String());
const urlSchema = Type.Optional(Type.String({ format: 'http-url' }));
const baseUrlSchema = Type.Optional(Type.String({ format: 'base-url' }));
const flagSchema = Type.Optional(Type.Boolean());
const quotasSchema = Type.Optional(
  Type.Refine(
    Type.String(),
    (value) => parseQuotas(value) !== null,
    () => quotaForm,
  ),
);

/** An operator may have been granted other limits than the documented ones. */
function quotasField({ quotas }: Connector, [id, field]: KeyedField): readonly KeyedField[] {
  return quotas.length === 0 ? [] : [[id, { ...field, defaultText: `\`${quotaText(quotas)}\`` }]];
}

function scopesDescription({ oauth }: Connector): string {
  const optional = oauth?.optionalScopes ?? [];
  const more = optional.length === 0 ? '' : ` Not requested by default: \`${optional.join(' ')}\`.`;
  return `scopes that new links request; leave out those that your application was not granted. Their resources are then unavailable.${more}`;
}

/** Google and others refuse a whole link for one scope that an application was not granted. */
function scopesField(connector: Connector, make: (schema: SettingField['schema']) => KeyedField): readonly KeyedField[] {
  if (!hasScopesSetting(connector)) return [];
  const schema = Type.Optional(
    Type.Refine(
      Type.String(),
      (value) => scopesProblem(connector, value) === null,
      (value) => scopesProblem(connector, value) ?? '',
    ),
  );
  const [id, field] = make(schema);
  return [[id, { ...field, defaultText: `\`${connector.oauth?.scopes.join(' ')}\`` }]];
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
  const field = (name: string, schema: SettingField['schema'], description: string, secret?: boolean): KeyedField => [
    key(connector.slug, name),
    {
      env: `${prefix}_${upperSnake(name)}`,
      schema,
      description: `${connector.name}: ${description}`,
      ...(secret && { secret }),
    },
  ];
  const application = [
    field('clientId', textSchema, 'client id of our OAuth application.'),
    field('clientSecret', textSchema, 'client secret of our OAuth application.', true),
  ];
  const practice = [
    field('clientId', textSchema, 'name (e-mail address) of the account through which the data of linked users are read.'),
    field('clientSecret', textSchema, 'password of that account.', true),
  ];
  const enabled = field(
    'enabled',
    flagSchema,
    'on allows users to link it. Its interface is undocumented, and using it may breach its terms.',
  );
  return [
    ...(connector.oauth ? application : [enabled, ...(connector.email ? practice : [])]),
    ...(connector.push
      ? [field('pushVerificationCode', textSchema, 'code that the provider checks when a push address is registered.', true)]
      : []),
    ...Object.entries(connector.settings ?? {}).map(([name, setting]) => {
      const schema = setting.values ? Type.Optional(Type.Union(setting.values.map((value) => Type.Literal(value)))) : textSchema;
      const [id, declared] = field(name, schema, setting.description, setting.isSecret);
      return [id, { ...declared, defaultText: setting.default === '' ? 'none' : `\`${setting.default}\`` }] as const;
    }),
    ...scopesField(connector, (schema) => field('scopes', schema, scopesDescription(connector))),
    ...quotasField(connector, field('quotas', quotasSchema, 'all limits granted to our application; they replace the documented ones.')),
    field('apiBaseUrl', baseUrlSchema, 'overrides the base URL of the API, for example with that of a simulator.'),
    ...(connector.oauth
      ? [
          field('authorizeUrl', urlSchema, 'overrides the URL of the consent page.'),
          field('tokenUrl', urlSchema, 'overrides the URL of the token endpoint.'),
          field('revokeUrl', urlSchema, 'overrides the URL of the revocation endpoint.'),
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
  /** Providers that the operator enabled and that stay disabled, because it is not known where their data are read. */
  readonly withoutAddress: readonly string[];
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
    const scoped = withScopes(plain.configure?.(settingsOf(plain)) ?? plain, text(plain.slug, 'scopes'));
    const connector = withQuotas(scoped, text(plain.slug, 'quotas'));
    const overrides = endpointKeys.flatMap((name): [string, string][] => {
      const url = text(connector.slug, name);
      return url === null ? [] : [[name, url]];
    });
    return withEndpoints(connector, Object.fromEntries(overrides) as Partial<ProviderEndpoints>);
  });
  const halves = connectors.flatMap(({ slug, oauth }) => {
    const [id, secret] = [text(slug, 'clientId'), text(slug, 'clientSecret')];
    const prefix = `PROVIDER_${slug.toUpperCase()}_CLIENT`;
    if (oauth === null || (id === null) === (secret === null)) return [];
    return [id === null ? `${prefix}_SECRET is set without ${prefix}_ID` : `${prefix}_ID is set without ${prefix}_SECRET`];
  });
  if (halves.length > 0)
    throw new AppError({ code: 'config_invalid', kind: 'invalid', message: 'Invalid configuration', details: { problems: halves } });
  const isSwitchedOn = ({ slug, oauth }: Connector): boolean => oauth !== null || values[key(slug, 'enabled')] === true;
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
    isEnabled(slug) {
      const connector = bySlug.get(slug);
      return connector !== undefined && isSwitchedOn(connector) && hasAddress(connector);
    },
    withoutAddress: placed.filter((connector) => isSwitchedOn(connector) && !hasAddress(connector)).map(({ slug }) => slug),
  };
}
