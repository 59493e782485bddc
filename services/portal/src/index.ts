export { createLocalTransport } from './api/local-transport.ts';
export { portalRoot } from './compose.ts';
export { portalConfig } from './config.ts';
export { portalRoutes } from './routes/portal-routes.ts';
