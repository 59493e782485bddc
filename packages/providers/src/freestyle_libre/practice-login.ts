import { placeUrls, webHeaders } from '../abbott_libreview/libreview.ts';
import { readStanding, type Standing } from '../abbott_libreview/sign-in/login.ts';
import type { LoginResponse, LoginHttp, OAuthApplication } from '../kit/types/connector.ts';

const redirectsMax = 3;

export interface PracticeLogin {
  readonly standing: Standing;
  readonly response: LoginResponse;
  /** Region that responded; null: the global address. */
  readonly place: string | null;
}

/** Logs the practice in at a region and follows a redirect to another one. An unknown region is returned as `elsewhere`. */
export async function logInPractice(http: LoginHttp, practice: OAuthApplication, first: string | null): Promise<PracticeLogin> {
  let place = first;
  for (let redirects = 0; ; redirects++) {
    const response = await http.send({
      method: 'POST',
      path: '/auth/login',
      region: place,
      headers: webHeaders,
      json: { email: practice.clientId, password: practice.clientSecret },
    });
    const standing = readStanding(response);
    if (standing.kind !== 'elsewhere' || !Object.hasOwn(placeUrls, standing.region)) return { standing, response, place };
    if (redirects >= redirectsMax) return { standing: { kind: 'unclear' }, response, place };
    place = standing.region;
  }
}
