export { compose, type Console, type ConsoleParts } from './compose.ts';
export { consoleConfigFields, type ConsoleConfig } from './config.ts';
export { linkPageRoutes, type LinkPageOptions } from './routes/link-page-routes.ts';
