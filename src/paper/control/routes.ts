// All routes of the control interface: one table for the server, for its own overview and for the documentation.
import type { ControlRoute } from './route.ts';
import { ACT_ROUTES } from './routes-act.ts';
import { CHANGE_ROUTES } from './routes-change.ts';
import { FAULT_ROUTES } from './routes-faults.ts';
import { KEY_ROUTES } from './routes-keys.ts';
import { READ_ROUTES } from './routes-read.ts';

export const CONTROL_ROUTES: readonly ControlRoute[] = [
  ...READ_ROUTES,
  ...CHANGE_ROUTES,
  ...FAULT_ROUTES,
  ...KEY_ROUTES,
  ...ACT_ROUTES,
];

/** What `GET /` of the control interface answers. */
export function routesOverview(): readonly object[] {
  return CONTROL_ROUTES.map(({ method, path, summary, fields, example }) => ({
    method,
    path,
    summary,
    ...(fields.length > 0 ? { fields } : {}),
    ...(example === null ? {} : { example }),
  }));
}
