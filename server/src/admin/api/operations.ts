import type { z } from 'zod'
import type { AdminRoute, AnyRoute, Nothing } from './admin-route.ts'

/** The operations of /api/admin, by their name: `GET /users/:id`. */
export type Operations = Map<string, AnyRoute>

/** Adds one operation. */
export function adminRoute<Query extends z.ZodObject = Nothing, Body extends z.ZodObject = Nothing>(
  operations: Operations,
  route: AdminRoute<Query, Body>,
): void {
  operations.set(`${route.method} ${route.path}`, route)
}
