export { createLocalTransport } from './api/local-transport.ts';
export { portalRoutes } from './routes/portal-routes.ts';
