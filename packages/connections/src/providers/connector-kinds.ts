import type { Connector } from '@pulsewire/providers';

export type LinkKind = 'oauth' | 'password' | 'email';

/** A connector whose kind of linking is known. */
export type ConnectorWith<Kind extends LinkKind> = Connector & { readonly [K in Kind]: NonNullable<Connector[K]> };
export type OAuthConnector = ConnectorWith<'oauth'>;
export type PasswordConnector = ConnectorWith<'password'>;
export type EmailConnector = ConnectorWith<'email'>;
