import { Type, type Static } from 'typebox';

/** GET /.well-known/webhook-keys/{webhook_id}: a set of RFC 7517 with keys of RFC 8037. */
export const JwkSetBody = Type.Object(
  {
    keys: Type.Array(
      Type.Object({
        kty: Type.Literal('OKP'),
        crv: Type.Literal('Ed25519'),
        alg: Type.Literal('EdDSA'),
        use: Type.Literal('sig'),
        kid: Type.String({ description: 'Thumbprint (RFC 7638).' }),
        x: Type.String({ description: 'The public key, base64url.' }),
        exp: Type.Optional(Type.Integer({ description: 'For a replaced key: signs until this time (Unix seconds).' })),
      }),
    ),
  },
  { title: 'JwkSetBody' },
);
export type JwkSetBody = Static<typeof JwkSetBody>;
