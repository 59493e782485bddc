import { Type, type Static } from 'typebox';

/** A kind of sport. Clients identify it by its slug. */
export const Sport = Type.Object(
  {
    id: Type.Integer({ deprecated: true, description: 'Differs between deployments; use the slug.' }),
    name: Type.String(),
    slug: Type.String(),
  },
  { title: 'Sport' },
);
export type Sport = Static<typeof Sport>;
