import { Type, type Static } from 'typebox';
import { closedEnum, nullable, openEnum, optional, optionalInput } from '../fields/fields.ts';
import { linkErrorTypes } from './linking.ts';

/** Regions of the providers that have them. */
const regions =
  'us eu de fr ca br ar cl co mx gb ie au nz nl at be bh ch cz dk eg es fi gr hr il it jo kw lb lu no om pl pt qa sa se si sk tr za in sg hk kr ph tw'.split(
    ' ',
  );

const Region = closedEnum(regions);

// Longer than any user name, address or passphrase, but short enough to be cheap to process.
const nameLengthMax = 320;
const secretLengthMax = 1024;

/** POST /v2/link/provider/password/{provider}. */
export const PasswordLinkBody = Type.Object(
  {
    username: Type.String({ minLength: 1, maxLength: nameLengthMax, description: 'At the provider.' }),
    password: Type.String({ minLength: 1, maxLength: secretLengthMax, format: 'password', description: 'At the provider.' }),
    region: optionalInput(Region, { description: 'Only for providers that use regions.' }),
  },
  { title: 'PasswordLinkBody' },
);
export type PasswordLinkBody = Static<typeof PasswordLinkBody>;

/** POST /v2/link/provider/password/{provider}/complete_mfa. */
export const MfaCodeBody = Type.Object(
  {
    mfa_code: Type.String({
      minLength: 1,
      maxLength: 64,
      format: 'password',
      description: 'The code that the user received, or the value of the choice.',
    }),
  },
  { title: 'MfaCodeBody' },
);
export type MfaCodeBody = Static<typeof MfaCodeBody>;

const ProviderMfaRequest = Type.Object({
  method: openEnum(['sms', 'email', 'choice'], 'choice: the account can read the data of several people; the user chooses one.'),
  hint: Type.String({ description: 'Masked phone number or e-mail address; for a choice, what to enter, with the names of the people.' }),
  choices: Type.Optional(
    Type.Array(Type.Object({ value: Type.String(), label: Type.String({ description: 'Name of a person, as stored at the provider.' }) }), {
      description: 'Only with the method choice: send the value of one as `mfa_code`.',
    }),
  ),
});

/** Result of a link with user name and password; status 200 also for link errors. */
export const LinkResultBody = Type.Object(
  {
    state: openEnum(['success', 'error', 'pending_provider_mfa']),
    redirect_url: optional(Type.String(), { description: 'As given when the link token was created.' }),
    error_type: optional(openEnum(linkErrorTypes), { description: 'Only with the state error.' }),
    error: optional(Type.String(), { description: 'For developers; only with the state error.' }),
    provider_mfa: optional(ProviderMfaRequest, { description: 'Only with the state pending_provider_mfa.' }),
    provider: Type.String({ deprecated: true }),
    connected: Type.Boolean({ deprecated: true, description: 'Whether the state is success.' }),
    provider_id: nullable(Type.String(), { deprecated: true, description: 'The user name.' }),
  },
  { title: 'LinkResultBody' },
);
export type LinkResultBody = Static<typeof LinkResultBody>;

/** POST /v2/link/provider/email/{provider}. */
export const EmailLinkBody = Type.Object(
  {
    email: Type.String({
      minLength: 3,
      maxLength: nameLengthMax,
      pattern: '^[^\\s@]+@[^\\s@]+$',
      description: "The user's address at the provider.",
    }),
    provider: optionalInput(Type.String(), { deprecated: true }),
    region: optionalInput(Region, { description: 'Only for providers that use regions.' }),
  },
  { title: 'EmailLinkBody' },
);
export type EmailLinkBody = Static<typeof EmailLinkBody>;

/** Result of a link by e-mail; status 200 also for link errors. */
export const EmailLinkResultBody = Type.Object(
  {
    success: Type.Boolean(),
    state: openEnum(['success', 'error']),
    redirect_url: optional(Type.String()),
    error_type: optional(openEnum(linkErrorTypes)),
    error: optional(Type.String()),
  },
  { title: 'EmailLinkResultBody' },
);
export type EmailLinkResultBody = Static<typeof EmailLinkResultBody>;
