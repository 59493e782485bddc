import { Type, type Static, type TSchema } from 'typebox';
import { closedEnum, nullable, openEnum, optional, optionalInput, optionalInteger, servedProviderEnum, Uuid } from '../fields/fields.ts';
import { demoProviders } from '../fields/provider-slugs.ts';
import { SourceAuthType } from './providers.ts';

/** Header of the endpoints that accept a link token. */
export const LinkTokenHeader = Type.Object({ 'x-service-link-token': Type.Optional(Type.String()) }, { title: 'LinkTokenHeader' });
export type LinkTokenHeader = Static<typeof LinkTokenHeader>;

function linkTokenFields<Provider extends TSchema & { readonly type: string }>(Provider: Provider) {
  return {
    user_id: Uuid,
    provider: optionalInput(Provider, { description: 'Restricts the token to one provider.' }),
    redirect_url: optionalInput(Type.String({ format: 'uri', allOf: [{ pattern: '^[A-Za-z][A-Za-z0-9+.-]*:' }] }), {
      description: 'Where the browser goes when the flow ends.',
    }),
    filter_on_providers: optionalInput(Type.Array(Provider, { minItems: 1 }), { description: 'Allow-list of the hosted link page.' }),
    on_error: optionalInput(closedEnum(['redirect']), { description: 'The hosted page sends errors to redirect_url.' }),
    on_close: optionalInput(closedEnum(['redirect']), { description: 'The close button of the hosted page redirects.' }),
  };
}

/** POST /v2/link/token, with any text as a provider. `linkTokenBodyFor` restricts it to the available slugs. */
export const LinkTokenBody = Type.Object(linkTokenFields(Type.String()), { title: 'LinkTokenBody' });
export type LinkTokenBody = Static<typeof LinkTokenBody>;

/** The same, restricted to these providers. */
export function linkTokenBodyFor<const Slugs extends readonly string[]>(slugs: Slugs) {
  return Type.Object(linkTokenFields(servedProviderEnum(slugs)), { title: 'LinkTokenBody' });
}

/** Response of POST /v2/link/token. */
export const LinkTokenCreatedBody = Type.Object(
  {
    link_token: Type.String({ description: 'Opaque; lives 60 minutes.' }),
    link_web_url: Type.String({ description: 'Hosted link page with the token in its query.' }),
  },
  { title: 'LinkTokenCreatedBody' },
);
export type LinkTokenCreatedBody = Static<typeof LinkTokenCreatedBody>;

/** Response of GET /v2/link/provider/oauth/{oauth_provider}. */
export const OAuthLinkBody = Type.Object(
  {
    id: Type.Integer({ description: 'Numeric id of the provider; source_id of timeseries events.' }),
    name: Type.String(),
    slug: Type.String(),
    description: Type.String(),
    logo: Type.String({ description: 'URL.' }),
    group: optional(Type.String()),
    oauth_url: optional(Type.String(), { description: 'Send the browser there.' }),
    auth_type: optional(SourceAuthType, { default: 'oauth' }),
    source_type: optional(openEnum(['app', 'ble', 'device', 'lab', 'provider']), { default: 'device' }),
    is_active: optional(Type.Boolean(), { default: true }),
    backfill_num_days: optionalInteger('Days of history in the initial pull.'),
  },
  { title: 'OAuthLinkBody' },
);
export type OAuthLinkBody = Static<typeof OAuthLinkBody>;

/** Error types of linking. */
export const linkErrorTypes = [
  'invalid_token',
  'token_expired',
  'token_not_validated',
  'token_consumed',
  'provider_credential_error',
  'provider_password_expired',
  'provider_api_error',
  'unsupported_region',
  'duplicate_connection',
  'required_scopes_not_granted',
  'incorrect_mfa_code',
  'user_cancelled',
] as const;
export type LinkErrorType = (typeof linkErrorTypes)[number];

/** Query of the redirect at the end of a link flow. */
export const LinkRedirectQuery = Type.Object(
  { state: openEnum(['success', 'error']), error_type: Type.Optional(openEnum(linkErrorTypes)), error: Type.Optional(Type.String()) },
  { title: 'LinkRedirectQuery' },
);
export type LinkRedirectQuery = Static<typeof LinkRedirectQuery>;

/** GET /v2/link/connect/{provider}: query as sent by the provider. */
export const OAuthCallbackQuery = Type.Object(
  {
    code: Type.Optional(Type.String()),
    state: Type.Optional(Type.String()),
    error: Type.Optional(Type.String()),
    error_description: Type.Optional(Type.String()),
    scope: Type.Optional(Type.String()),
    oauth_token: Type.Optional(Type.String()),
    oauth_verifier: Type.Optional(Type.String()),
  },
  { title: 'OAuthCallbackQuery', additionalProperties: true },
);
export type OAuthCallbackQuery = Static<typeof OAuthCallbackQuery>;

const LinkFormField = Type.Object(
  {
    name: Type.String({ description: 'Key in the request that submits the form.' }),
    label: Type.String(),
    kind: openEnum(['text', 'email', 'password', 'choice']),
    hint: Type.Optional(Type.String()),
    choices: Type.Optional(Type.Array(Type.Object({ value: Type.String(), label: Type.String() }))),
    isRequired: Type.Boolean(),
  },
  { title: 'LinkFormField' },
);

const LinkForm = Type.Object({ fields: Type.Array(LinkFormField) }, { title: 'LinkForm' });

/** Response of GET /v2/link/providers: the providers that the link token may link. */
export const LinkProvidersBody = Type.Array(
  Type.Object({
    id: Type.Integer({ description: 'Numeric id of the provider.' }),
    name: Type.String(),
    slug: Type.String(),
    description: Type.String(),
    logo: Type.String({ description: 'URL.' }),
    oauth_url: optional(Type.String(), { description: 'Always null: start OAuth links with their own endpoint.' }),
    auth_type: optional(SourceAuthType, { default: 'oauth' }),
    form_components: optional(LinkForm, { description: 'Null for providers that are linked without a form.' }),
  }),
  { title: 'LinkProvidersBody' },
);
export type LinkProvidersBody = Static<typeof LinkProvidersBody>;

/** Response of GET /v2/link/state. */
export const LinkStateBody = Type.Object(
  {
    state: openEnum(['open', 'validated', 'pending_provider_mfa', 'success', 'error']),
    provider: nullable(Type.String(), { description: 'Last started or linked; otherwise the provider of the token.' }),
    error_type: nullable(openEnum(linkErrorTypes), { description: 'Error of the last attempt.' }),
  },
  { title: 'LinkStateBody' },
);
export type LinkStateBody = Static<typeof LinkStateBody>;

/** POST /v2/link/connect/demo. */
export const DemoLinkBody = Type.Object({ user_id: Uuid, provider: closedEnum(demoProviders) }, { title: 'DemoLinkBody' });
export type DemoLinkBody = Static<typeof DemoLinkBody>;

/** Response of POST /v2/link/connect/demo. */
export const DemoLinkedBody = Type.Object({ success: Type.Boolean(), detail: Type.String() }, { title: 'DemoLinkedBody' });
export type DemoLinkedBody = Static<typeof DemoLinkedBody>;

/** POST /v2/link/provider/manual/{provider}. */
export const ManualLinkBody = Type.Object(
  {
    user_id: Uuid,
    provider_id: Type.String({ minLength: 1, maxLength: 320, description: 'How the team names the account or device.' }),
  },
  { title: 'ManualLinkBody' },
);
export type ManualLinkBody = Static<typeof ManualLinkBody>;
