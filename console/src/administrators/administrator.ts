import type { Role } from '../roles.ts'

/** Somebody with a role, as the API tells of them. */
export interface Administrator {
  id: string
  email: string
  name: string
  role: Role
  created_at: string
}
