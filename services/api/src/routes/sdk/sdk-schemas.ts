import { Type } from 'typebox';
import { nullable } from '@pulsewire/contract';

/** The format that the SDKs expect. */
export const AcceptedBody = Type.Object(
  { status_code: Type.Integer(), response: Type.String(), user_id: nullable(Type.String({ format: 'uuid' })) },
  { title: 'PhoneBatchAccepted' },
);

export const PhoneTokensBody = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.String(),
    refresh_token: nullable(Type.String()),
    expires_in: Type.Integer({ description: 'Seconds.' }),
  },
  { title: 'PhoneTokens' },
);

/** Of requests that hold a credential and nothing else: they are read before it is known whose they are. */
export const tokenBodyBytesMax = 8 * 1024;

export const RefreshTokenBody = Type.Object(
  { refresh_token: Type.String({ minLength: 1, maxLength: 500 }) },
  { title: 'RefreshTokenBody' },
);
