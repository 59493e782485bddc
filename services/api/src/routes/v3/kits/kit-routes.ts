import type { Route } from '../../../route/route.ts';
import { orderKitRoute } from './order-kit.ts';
import { registerKitRoute } from './register-kit.ts';

export const kitRoutes: readonly Route[] = [orderKitRoute, registerKitRoute];
